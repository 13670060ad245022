"""R-RES-OAS-2."""

import ast
from collections.abc import Iterator
from functools import cached_property

from ..clients import METHODS
from ..documents import Operations, describes, documents_of, operations_of
from ..finding import Finding, Rule
from ..syntax import argument, last_name


class NotInTheDocument(Rule):
    """A request that the system's OpenAPI document does not have.

    The document is the contract: clients are made from it, and the simulator answers by it. What is sent beside it was promised by
    nobody, and no test meets it before production. Get the operation into `openapi/` beside the adapter, then call it.
    """

    code = "OAS-2"
    nodes = (ast.Call,)
    needs = (("await ",), tuple(f".{method}(" for method in sorted(METHODS)))

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files of an adapter; whether there is a document beside one is looked up later."""
        return "outbound" in parts and "db" not in parts and super().concerns(text, parts)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A call of a client, or of the kit's `Call`, with a path that is written out."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in METHODS:
            return
        if not self._operations or not self._sends(node, node.func.value):
            return
        for path in self.values.texts(argument(node, 0, "path", "url")):
            if path.startswith("/") and not describes(self._operations, node.func.attr, path):
                yield self.finding(node, about=f"{node.func.attr.upper()} {path}")
                return

    @cached_property
    def _operations(self) -> Operations:
        found: Operations = set()
        for document in documents_of(self.source.path):
            content = document.read_bytes()
            if self.resolver.elsewhere is not None:
                self.resolver.elsewhere.note(document, content)
            found |= operations_of(content.decode(errors="replace"))
        return found

    def _sends(self, call: ast.Call, receiver: ast.expr) -> bool:
        if self.view.http.outbound(call) is not None:
            return True
        kind = self.resolver.kind(receiver).rpartition(".")[2]
        return kind == "Call" or (not kind and last_name(receiver) == "call")
