"""R-RES-OAS-X2."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..clients import SENDING
from ..finding import Finding, Rule
from ..flow import reaching
from ..syntax import last_name

SYSTEM = re.compile(
    r"^(external_|target_|remote_|partner_)?(system|service|provider|partner|vendor|integration|upstream|backend)(_name|_id|_key|_code)?$"
    r"|^(api|client|adapter)_name$"
)
TEXTUAL = {"", "str", "typing.Any", "Any", "typing.LiteralString"}
LOOKS_UP = re.compile(
    r"(^|_)(client|adapter|guard|system|gateway|breaker|session|http|pool|port|connector)s?(_|$)", re.IGNORECASE
)
LOOKUP = re.compile(
    r"(\[|getattr\([\w.]+, ?|\.(get|pop|resolve|lookup)\(|(client|adapter|guard|gateway|breaker|connector|port|session|http|pool|system)s?\w*\(|\{)"
    r"(\w*(system|service|provider|partner|vendor|integration|upstream|backend)|api_name|client_name|adapter_name)(_name|_id|_key|_code)?\b"
)
CALLS = SENDING | {"call", "execute", "invoke", "call_async", "run", "perform", "dispatch"}


class CallBySystemName(Rule):
    """A helper that calls any system, told by a text which one.

    The type of the answer, the errors and the key of a write are lost on the way, and whoever reads the call cannot see what it asks for.
    Give each system an adapter with a method per operation, and pass the adapter.
    """

    code = "OAS-X2"
    nodes = FUNCTIONS
    words = (
        "system]",
        "system)",
        "_name]",
        "_name)",
        "service]",
        "service)",
        "provider]",
        "provider)",
        "getattr(",
        "partner",
        "vendor",
        "upstream",
        "backend",
        "integration",
    )

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files in which something is looked up by a name that can be a system's."""
        return any(word in text for word in cls.words) and bool(LOOKUP.search(text))

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A function that finds a client by the text of a parameter, and sends something with it."""
        if not isinstance(node, FUNCTIONS):
            return
        for name in self._texts(node):
            found = [n for n in self.source.local(node) if self._looks_up(n, name)]
            if found and self._sends(node, found):
                yield self.finding(node)
                return

    def _texts(self, function: Function) -> list[str]:
        """The parameters that name a system and are texts as far as their annotation says."""
        arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        return [a.arg for a in arguments if SYSTEM.match(a.arg) and self.resolver.annotated(a.annotation) in TEXTUAL]

    def _looks_up(self, node: ast.AST, name: str) -> bool:
        """`clients[system]`, `getattr(self, system)`, `registry.get(system)`, `client_for(system)`."""
        if isinstance(node, ast.Subscript):
            return isinstance(node.ctx, ast.Load) and self._is(node.slice, name)
        if not isinstance(node, ast.Call) or not any(
            self._is(a, name) for a in (*node.args, *(k.value for k in node.keywords))
        ):
            return False
        called = last_name(node.func)
        if called == "getattr":
            return len(node.args) > 1 and self._is(node.args[1], name)
        if called in ("get", "pop", "__getitem__", "resolve", "lookup"):
            return isinstance(node.func, ast.Attribute) and len(node.args) <= 2
        return bool(LOOKS_UP.search(called))

    def _is(self, node: ast.AST, name: str) -> bool:
        """The parameter itself, or a text that is built of it."""
        if isinstance(node, ast.JoinedStr):
            return any(self._is(p.value, name) for p in node.values if isinstance(p, ast.FormattedValue))
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("lower", "upper", "strip")
        ):
            return self._is(node.func.value, name)
        return isinstance(node, ast.Name) and node.id == name

    def _sends(self, function: Function, found: list[ast.AST]) -> bool:
        """Whether what was looked up is called: a method of it, one found by text, or something it opened."""
        known = set(found)
        for call in (n for n in self.source.local(function) if isinstance(n, ast.Call)):
            if call in known or not self._comes_from(call.func, known, 0):
                continue
            by_text = isinstance(call.func, ast.Call) and last_name(call.func) == "getattr"
            awaited = isinstance(self.source.parents.get(call), ast.Await)
            plain = isinstance(call.func, (ast.Name, ast.Subscript)) and awaited
            if by_text or plain or last_name(call.func) in CALLS:
                return True
        return False

    def _comes_from(self, node: ast.AST | None, known: set[ast.AST], depth: int) -> bool:
        if node is None or depth > 6:
            return False
        if any(n in known for n in ast.walk(node)):
            return True
        return any(
            self._comes_from(b.value, known, depth + 1)
            for n in ast.walk(node)
            if isinstance(n, ast.Name)
            for b in reaching(self.source, n.id, n)
            if b.kind in ("value", "with", "unpacked")
        )
