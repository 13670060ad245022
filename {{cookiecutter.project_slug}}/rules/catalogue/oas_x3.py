"""R-RES-OAS-X3."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..finding import Finding, Rule
from ..roles import ADAPTER_FOLDERS, GENERATED_FOLDERS
from ..syntax import quoted

OUTER = {
    "domain",
    "application",
    "use_cases",
    "usecases",
    "inbound",
    "wiring",
    "routers",
    "routes",
    "api",
    "services",
    "ports",
    "entities",
    "core",
    "handlers",
    "endpoints",
    "views",
    "controllers",
    "schedulers",
    "interactors",
}


OUTER_FILES = {
    "ports.py",
    "domain.py",
    "entities.py",
    "services.py",
    "use_cases.py",
    "usecases.py",
    "handlers.py",
    "routes.py",
}
MAPS = re.compile(r"(Mapper|Converter|Translator|Serializer|Factory|Builder|Api|Fake\w*|Stub\w*)$")
HANDED_ON = re.compile(r"\boutbound\b.*\bimport\b.*(Dto|DTO|Schema|Response|Request|Model|Out|Payload)\b")


class LeakedDto(Rule):
    """A DTO of the external system leaves its adapter.

    Their field names and nulls then spread through our code, and their next version breaks all of it. Map to a domain type
    inside the adapter, and let the port speak domain types.
    """

    code = "OAS-X3"
    nodes = (ast.Import, ast.ImportFrom, *FUNCTIONS)

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that name generated code, and inner ones that name an adapter, which may hand it on."""
        return any(folder in text for folder in GENERATED_FOLDERS) or (
            bool(OUTER & set(parts)) and "outbound" in text and bool(HANDED_ON.search(text))
        )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Imports of generated code from outside the adapters, and public methods that return its types."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if self._outside() and self._imports_generated(node):
                yield self.finding(node)
        elif isinstance(node, FUNCTIONS):
            owner = self.source.owner(node)
            public = not node.name.startswith("_") and owner is not None and not owner.name.startswith("_")
            inner = (
                self._outside() or self.view.roles.generated or (owner is not None and bool(MAPS.search(owner.name)))
            )
            if public and not inner and self.source.function(node) is None and self._leaks(node):
                yield self.finding(node)

    def _outside(self) -> bool:
        """Whether the file is one that must not know the system's types at all; its imports are found then."""
        folders = set(self.source.parts[:-1])
        return bool(OUTER & folders or self.source.parts[-1] in OUTER_FILES) and not folders & ADAPTER_FOLDERS

    def _imports_generated(self, node: ast.Import | ast.ImportFrom) -> bool:
        if isinstance(node, ast.Import):
            return any(self._generated(a.name) for a in node.names)
        module = "." * node.level + (node.module or "")
        names = [module + a.name if module.endswith(".") else f"{module}.{a.name}" for a in node.names]
        if any(self._generated(n) for n in names):
            return True
        elsewhere = self.resolver.elsewhere
        return elsewhere is not None and any(self._generated(elsewhere.origin(n)) for n in names if "outbound" in n)

    def _leaks(self, function: Function) -> bool:
        if function.returns is not None and self.resolver.annotated(function.returns) not in (
            "typing.Any",
            "object",
            "Any",
        ):
            return self._names_generated(function.returns)
        for node in self.source.local(function):
            value = node.value if isinstance(node, (ast.Return, ast.Yield)) else None
            if isinstance(value, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
                value = value.elt
            if value is not None and (self._is_class(self.resolver.kind(value)) or self._made(value)):
                return True
        return False

    def _made(self, value: ast.expr) -> bool:
        """Whether a value was made by a generated class, or a constructor method of one; in a container, too."""
        if isinstance(value, (ast.Tuple, ast.List)):
            return any(self._made(e) for e in value.elts)
        return any(self._is_class(self.resolver.name(made.func)) for made in self.resolver.made_by(value))

    def _is_class(self, dotted: str) -> bool:
        parts = dotted.split(".")
        if not self._generated(dotted):
            return False
        last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
        return last[:1].isupper() or before[:1].isupper()

    def _generated(self, dotted: str) -> bool:
        return bool(GENERATED_FOLDERS & set(dotted.split(".")))

    def _names_generated(self, annotation: ast.expr) -> bool:
        for node in ast.walk(annotation):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                inside = quoted(node.value)
                for part in ast.walk(inside) if inside is not None else ():
                    if isinstance(part, (ast.Name, ast.Attribute)) and self._generated(self.resolver.at(part, node)):
                        return True
            elif isinstance(node, (ast.Name, ast.Attribute)) and self._generated(self.resolver.name(node)):
                return True
        return False
