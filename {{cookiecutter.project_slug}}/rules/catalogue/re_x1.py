"""R-RES-RE-X1."""

import ast
import re
from collections.abc import Iterator

from ..arithmetic import UNKNOWN
from ..clients import SENDS, WRITES
from ..finding import Finding, Rule
from ..flow import find_scope
from ..syntax import keyword, last_name

KEY = re.compile(r"idempoten|keyed", re.IGNORECASE)


class UnkeyedRetry(Rule):
    """A write without an Idempotency-Key is retried.

    An attempt whose answer was lost may have been carried out: the next one does it twice. Send an `Idempotency-Key` that stays the same
    over attempts, or make it a task; never retry the bare write.
    """

    code = "RE-X1"
    nodes = (ast.Call,)
    needs = (("retry", "Retry", "backoff", "stamina", "except"), SENDS)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A write under a retry policy or in a loop that tries again, and a write handed to a retry policy."""
        if not isinstance(node, ast.Call):
            return
        if self.view.retries.policy(node.func) and node.args:
            sent = self.view.http.sent_method(node.args[0])
            method = sent.method if sent is not None else ""
            if method == "request" and len(node.args) > 1:
                method = next(iter(self.values.texts(node.args[1])), "").lower()
            if method in WRITES and not self._keyed(node):
                yield self.finding(node.args[0])
            return
        sent = self.view.http.outbound(node)
        if sent is None or sent.method not in WRITES or self._keyed(node):
            return
        if self.view.retries.under_retry(node):
            yield self.finding(node)

    def _keyed(self, call: ast.Call) -> bool:
        """Whether a key goes along; headers that source does not show get the benefit of the doubt."""
        if any(k.arg is not None and KEY.search(k.arg) for k in call.keywords):
            return True
        headers = keyword(call, "headers")
        if headers is None:
            return False
        if KEY.search(ast.unparse(headers)) or self._filled_in(headers):
            return True
        shown = self.values.of(headers)
        for value in shown:
            if isinstance(value, dict) and UNKNOWN not in value:
                if any(KEY.search(str(k)) for k in value):
                    return True
                continue
            return True
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
