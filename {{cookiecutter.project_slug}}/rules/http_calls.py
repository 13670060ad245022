"""Calls that leave the process over HTTP: by the type of the receiver where source shows it, else by its name."""

import ast
import re
from dataclasses import dataclass

from .arithmetic import HOLE
from .flow import reaching
from .resolver import Resolver
from .source import Source
from .syntax import keyword, last_name
from .values import Values

METHODS = {"get", "post", "put", "patch", "delete", "head", "options"}
SENDING = METHODS | {"request", "stream", "send"}
SENDS = (
    ".get",
    ".post",
    ".put",
    ".patch",
    ".delete",
    ".head",
    ".options",
    ".request",
    ".send",
    ".stream",
    "getattr",
    "httpx",
)
WRITES = {"post", "put", "patch", "delete"}
CLIENTS = {"httpx.AsyncClient", "httpx.Client"}
LOCAL_TRANSPORTS = ("ASGITransport", "WSGITransport", "MockTransport")
CLIENT_NAME = re.compile(r"^_*((async_?)?(http|https|httpx|rest|api|web)?_?client|http|https|httpx)$", re.IGNORECASE)
URL_NAME = re.compile(r"(url|uri|path|endpoint|href|link)s?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outbound:
    """A call over HTTP. `certain` where the receiver's type is known, not only its name."""

    method: str
    certain: bool


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
        if isinstance(call.func, ast.Name):
            method = self._bound_method(call.func)
            return Outbound(method, True) if method else None
        if not isinstance(call.func, ast.Attribute):
            return None
        method = call.func.attr
        if method not in SENDING:
            bound = self._bound_method(call.func)
            return Outbound(bound, True) if bound else None
        certainty = self.client(call.func.value)
        if certainty is None:
            return None
        if not certainty and not self._looks_sent(call):
            return None
        return Outbound(self._method(call, method), certainty)

    def sent_method(self, attribute: ast.AST) -> Outbound | None:
        """What `client.post` sends when somebody else calls it."""
        if isinstance(attribute, ast.Attribute) and attribute.attr in SENDING:
            certainty = self.client(attribute.value)
            if certainty is not None:
                return Outbound(attribute.attr, certainty)
        return None

    def client(self, node: ast.expr) -> bool | None:
        """True for a client by type, False by name, None for something else."""
        if self.resolver.name(node) == "httpx":
            return True
        kind = self.resolver.kind(node)
        if kind in CLIENTS:
            return None if self._is_local(node) else True
        if kind.startswith("<here>."):
            return True if self._own_client(kind) else None
        if kind:
            return None
        return False if CLIENT_NAME.match(last_name(node)) and not isinstance(node, ast.Call) else None

    def is_local(self, made: ast.Call) -> bool:
        """Whether a client is built on a transport that leaves no process."""
        transport = keyword(made, "transport")
        kind = self.resolver.kind(transport) if transport is not None else ""
        return kind.endswith(LOCAL_TRANSPORTS) or keyword(made, "app") is not None

    def _is_local(self, node: ast.expr) -> bool:
        return any(self.is_local(made) for made in self.resolver.made_by(node))

    def _own_client(self, kind: str) -> bool:
        name = kind.partition(".")[2]
        return any(
            isinstance(b.node, ast.ClassDef) and CLIENTS & set(self.resolver.bases(b.node))
            for b in self.source.module.names.get(name, ())
        )

    def _bound_method(self, node: ast.expr) -> str:
        """`post = self._client.post`, called later."""
        name = self.resolver.name(node)
        if name.startswith("httpx.") and name.partition(".")[2] in SENDING:
            return name.partition(".")[2]
        bindings = self.resolver.attribute(node) if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.Name):
            bindings = reaching(self.source, node.id, node)
        for binding in bindings:
            value = binding.value
            if isinstance(value, ast.Call) and last_name(value.func) == "getattr" and len(value.args) > 1:
                named = next(iter(self.values.texts(value.args[1])), "")
                if named in SENDING and self.client(value.args[0]):
                    return named
            if isinstance(value, ast.Attribute) and value.attr in SENDING and self.client(value.value):
                return value.attr
        return ""

    def _method(self, call: ast.Call, method: str) -> str:
        if method == "send":
            built = [m for a in call.args[:1] for m in self.resolver.made_by(a)]
            return next(
                (self._method(m, "request") for m in built if last_name(m.func) in ("build_request", "Request")), method
            )
        if method not in ("request", "stream"):
            return method
        named = keyword(call, "method") or (call.args[0] if call.args else None)
        texts = self.values.texts(named)
        return texts[0].lower() if texts else method

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
