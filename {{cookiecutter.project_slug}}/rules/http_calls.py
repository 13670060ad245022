"""Calls that leave the process: by the type of the receiver where source shows it, else by its name."""

import ast
import re
from dataclasses import dataclass

from .arithmetic import HOLE
from .binding import FUNCTIONS
from .clients import (
    BLOCKING,
    CLIENT_NAME,
    CLIENTS,
    LOCAL_TRANSPORTS,
    OTHERS,
    OWN_TIMEOUT,
    SENDING,
    SHORTCUTS,
    URL_NAME,
)
from .flow import reaching
from .resolver import Resolver, branches
from .source import Source
from .syntax import argument, keyword, last_name
from .values import Values

MAKER = re.compile(r"^_*[a-z]\w*(client|http|session)$")  # `make_client()`, whose answer has no annotation


@dataclass(frozen=True, slots=True)
class Outbound:
    """A call that leaves the process. `certain` where the receiver's type is known, not only its name."""

    method: str
    certain: bool
    library: str = "httpx"


class HttpCalls:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, values: Values) -> None:
        self.source = source
        self.resolver = resolver
        self.values = values
        self._known: dict[ast.Call, Outbound | None] = {}

    def outbound(self, call: ast.Call) -> Outbound | None:
        """What a call sends, or None when it sends nothing."""
        if call not in self._known:
            self._known[call] = self._outbound(call)
        return self._known[call]

    def _outbound(self, call: ast.Call) -> Outbound | None:
        shortcut = self._shortcut(call)
        if shortcut is not None:
            return shortcut
        if isinstance(call.func, ast.Name):
            return self._bound_method(call, call.func)
        if not isinstance(call.func, ast.Attribute):
            return None
        method = call.func.attr
        if method not in SENDING:
            return self._bound_method(call, call.func)
        library = self.client(call.func.value)
        if library is None:
            return None
        if not library and not self._looks_sent(call):
            return None
        return Outbound(self._method(call, method), bool(library), library or "httpx")

    def sent_method(self, attribute: ast.AST) -> Outbound | None:
        """What `client.post` sends when somebody else calls it."""
        if isinstance(attribute, ast.Attribute) and attribute.attr in SENDING:
            library = self.client(attribute.value)
            if library is not None:
                return Outbound(attribute.attr, bool(library), library or "httpx")
        return None

    def bounds_itself(self, call: ast.Call, sent: Outbound) -> bool:
        """Whether a call of a library whose `timeout=` bounds the wait has one, of its own or of its session."""
        if sent.library not in OWN_TIMEOUT and not self.blocks(call, sent):
            return False
        given = argument(call, 2, "timeout") if sent.library == "urllib" else keyword(call, "timeout", "open_timeout")
        if given is not None:
            return not self.values.is_none(given)
        receiver = call.func.value if isinstance(call.func, ast.Attribute) and sent.library != "httpx" else None
        made = self.resolver.made_by(receiver) if receiver is not None else []
        of_session = [t for m in made for t in [keyword(m, "timeout")] if t is not None]
        return any(not self.values.is_none(t) for t in of_session)

    def blocks(self, call: ast.Call, sent: Outbound) -> bool:
        """Whether a call waits in its thread: of requests and urllib, and of httpx where nothing is awaited."""
        if sent.library != "httpx":
            return sent.library in BLOCKING
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        return (
            SHORTCUTS.match(self.resolver.name(call.func)) is not None or self.resolver.kind(receiver) == "httpx.Client"
        )

    def says_none(self, call: ast.Call) -> bool:
        """Whether a call says in so many words that it waits for ever."""
        given = keyword(call, "timeout")
        return given is not None and self.values.is_none(given)

    def client(self, node: ast.expr) -> str | None:
        """The library of a client known by type; an empty text for one known by name; None for something else."""
        if self.resolver.name(node) in ("httpx", "requests"):
            return self.resolver.name(node)
        kind = self.resolver.kind(node)
        if kind in CLIENTS:
            return None if self._is_local(node) else kind.partition(".")[0]
        if kind.startswith("<here>."):
            return self._own_client(kind)
        if kind and not MAKER.search(kind.rpartition(".")[2]):
            return None
        return "" if CLIENT_NAME.match(last_name(node)) and not isinstance(node, ast.Call) else None

    def is_local(self, made: ast.Call) -> bool:
        """Whether a client is built on a transport that leaves no process."""
        transport = keyword(made, "transport")
        kind = self.resolver.kind(transport) if transport is not None else ""
        return kind.endswith(LOCAL_TRANSPORTS) or keyword(made, "app") is not None

    def _shortcut(self, call: ast.Call) -> Outbound | None:
        """`requests.get(url)`, `urllib.request.urlopen(url)`: what sends without a client in sight."""
        name = self.resolver.name(call.func)
        if name in OTHERS:
            return Outbound(OTHERS[name], True, name.partition(".")[0])
        match = SHORTCUTS.match(name)
        return Outbound(self._method(call, match["method"], 0), True, name.partition(".")[0]) if match else None

    def _is_local(self, node: ast.expr) -> bool:
        return any(self.is_local(made) for made in self.resolver.made_by(node))

    def _own_client(self, kind: str) -> str | None:
        name = kind.partition(".")[2]
        for binding in self.source.module.names.get(name, ()):
            bases = (
                CLIENTS & set(self.resolver.bases(binding.node)) if isinstance(binding.node, ast.ClassDef) else set()
            )
            if bases:
                return bases.pop().partition(".")[0]
        return None

    def _bound_method(self, call: ast.Call, node: ast.Name | ast.Attribute) -> Outbound | None:
        """`post = self._client.post`, called later."""
        bindings = self.resolver.attribute(node) if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.Name):
            bindings = reaching(self.source, node.id, node)
        for binding in bindings:
            if isinstance(binding.node, FUNCTIONS) or binding.value is None:
                continue
            for value in branches(binding.value):
                method, receiver = self._method_of(value)
                library = self.client(receiver) if receiver is not None and method in SENDING else None
                if library:
                    return Outbound(self._method(call, method), True, library)
        return None

    def _method_of(self, value: ast.expr) -> tuple[str, ast.expr | None]:
        if isinstance(value, ast.Call) and last_name(value.func) == "getattr" and len(value.args) > 1:
            return next(iter(self.values.texts(value.args[1])), ""), value.args[0]
        if isinstance(value, ast.Call) and last_name(value.func) == "partial" and value.args:
            value = value.args[0]
        return (value.attr, value.value) if isinstance(value, ast.Attribute) else ("", None)

    def _method(self, call: ast.Call, method: str, position: int = 0) -> str:
        if method == "send":
            built = [m for a in call.args[:1] for m in self.resolver.made_by(a)]
            return next(
                (self._method(m, "request") for m in built if last_name(m.func) in ("build_request", "Request")), method
            )
        if method not in ("request", "stream"):
            return method
        named = argument(call, position, "method")
        return self.verb(named) or method

    def verb(self, named: ast.expr | None) -> str:
        """`"POST"`, a constant for it, or `HTTPMethod.POST`, in small letters."""
        if named is None:
            return ""
        texts = self.values.texts(named)
        if texts:
            return texts[0].lower()
        parts = [p for p in self.resolver.name(named).split(".") if p != "value"]
        return parts[-1].lower() if len(parts) > 1 and parts[-2].endswith("HTTPMethod") else ""

    def _looks_sent(self, call: ast.Call) -> bool:
        if any(k.arg in ("json", "headers", "params", "content", "data", "timeout") for k in call.keywords):
            return True
        if last_name(call.func) == "send":
            made = [m for a in call.args[:1] for m in self.resolver.made_by(a)]
            return any(last_name(m.func) in ("build_request", "Request") for m in made)
        first = keyword(call, "url") or (call.args[0] if call.args else None)
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("request", "stream") and len(call.args) > 1:
            first = call.args[1]
        texts = self.values.texts(first)
        if texts:
            return any(t.startswith(("/", "http", HOLE + "/")) for t in texts)
        return bool(URL_NAME.search(last_name(first)))
