"""R-RES-RE-X1."""

import ast
import re
from collections.abc import Iterator

from ..arithmetic import UNKNOWN
from ..binding import FUNCTIONS
from ..clients import WRITES
from ..finding import Finding, Rule
from ..flow import find_scope, reaching
from ..repeats import may_repeat
from ..syntax import last_name

SENDS_WRITES = (".post", ".put", ".patch", ".delete", ".request", ".send", ".stream", "getattr")
NEW = re.compile(r"(^|\.)(uuid[1-7]|token_hex|token_urlsafe|ulid|new|getrandbits|time_ns)$")
KEY = re.compile(r"idempoten|keyed", re.IGNORECASE)


class UnkeyedRetry(Rule):
    """A write without an Idempotency-Key is retried.

    An attempt whose answer was lost may have been carried out: the next one does it twice. Send an `Idempotency-Key` that stays the same
    over attempts, or make it a task; never retry the bare write.
    """

    code = "RE-X1"
    nodes = (ast.Call,)

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that write, and name a policy, decorate, or can repeat by hand."""
        if not any(word in text for word in SENDS_WRITES):
            return False
        return any(word in text for word in ("retry", "Retry", "backoff", "stamina", " @")) or may_repeat(text)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A write under a retry policy or in a loop that tries again, and a write handed to a retry policy."""
        if not isinstance(node, ast.Call):
            return
        handed = self._handed(node)
        if handed is not None:
            yield self.finding(handed)
            return
        sent = self.view.http.outbound(node)
        if sent is None or sent.method not in WRITES or self._keyed(node):
            return
        if self.view.retries.under_retry(node):
            yield self.finding(node)

    def _handed(self, call: ast.Call) -> ast.expr | None:
        """`retrying(client.post, "/x")`: the write, where a policy is given one without a key."""
        for position, given in enumerate(call.args[:2]):
            sent = self.view.http.sent_method(given)
            if sent is None or not self.view.retries.policy(call.func):
                continue
            method = sent.method
            if method == "request" and len(call.args) > position + 1:
                method = self.view.http.verb(call.args[position + 1])
            if method in WRITES and not self._keyed(call):
                return given
        return None

    def _keyed(self, call: ast.Call) -> bool:
        """Whether a key goes along; headers that source does not show get the benefit of the doubt."""
        built = [m for a in call.args[:1] for m in self.resolver.made_by(a)] if last_name(call.func) == "send" else []
        given, complete = self.values.mapping(built[0] if built else call)
        if not complete or any(KEY.search(name) for name in given):
            return True
        headers = given.get("headers")
        if headers is None:
            return False
        if isinstance(headers, ast.expr) and self._new_each_time(headers, call):
            return False
        if not isinstance(headers, ast.expr):
            return not isinstance(headers, dict) or any(KEY.search(str(k)) for k in headers)
        if KEY.search(ast.unparse(headers)) or self._filled_in(headers):
            return True
        for value in self.values.of(headers):
            if isinstance(value, dict) and UNKNOWN not in value:
                if any(KEY.search(str(k)) for k in value):
                    return True
                continue
            return True
        return False

    def _new_each_time(self, headers: ast.expr, call: ast.Call) -> bool:
        """`{"Idempotency-Key": str(uuid4())}` in what is repeated: a new key for every attempt is no key."""
        pairs = [
            (k, v)
            for n in ast.walk(headers)
            if isinstance(n, ast.Dict)
            for k, v in zip(n.keys, n.values, strict=True)
            if k
        ]
        given = [v for k, v in pairs if any(KEY.search(t) for t in self.values.texts(k))]
        return any(self._is_new(v, call) for v in given)

    def _is_new(self, value: ast.expr, call: ast.Call) -> bool:
        for node in ast.walk(value):
            if isinstance(node, ast.Call) and NEW.search(self.resolver.name(node.func)):
                return True
            bindings = reaching(self.source, node.id, node) if isinstance(node, ast.Name) else []
            for binding in bindings:
                here = self.source.function(binding.node) is self.source.function(call) and binding.kind == "value"
                function = self.source.function(call)
                repeated = isinstance(function, FUNCTIONS) and any(
                    map(self.view.retries.policy, function.decorator_list)
                )
                if here and repeated and binding.value is not None and binding.value is not value:
                    return self._is_new(binding.value, call)
        return False

    def _filled_in(self, headers: ast.expr) -> bool:
        """`headers[KEY] = key` somewhere in the function."""
        function = self.source.function(headers)
        if not isinstance(headers, ast.Name) or function is None:
            return False
        scope = find_scope(self.source, headers.id, headers)
        for node in self.source.local(function):
            if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Store):
                continue
            if last_name(node.value) == headers.id and find_scope(self.source, headers.id, node) is scope:
                texts = self.values.texts(node.slice)
                if not texts or any(KEY.search(t) for t in texts) or KEY.search(ast.unparse(node.slice)):
                    return True
        return False
