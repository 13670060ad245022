"""R-RES-OAS-X1."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS
from ..finding import Finding, Rule
from ..policies import BREAKER_NAME, BREAKERS, POLICIES
from ..roles import GENERATED_FOLDERS, is_generated
from ..syntax import last_name

LIMIT_NAME = re.compile(r"(^|_)(slots?|sem(aphore)?|bulkhead|limiter|gate|permits?|breaker)$", re.IGNORECASE)
CALLS = ("call", "call_async", "run", "execute", "calling")
LIBRARIES = {
    "tenacity",
    "stamina",
    "backoff",
    "aiobreaker",
    "pybreaker",
    "circuitbreaker",
    "purgatory",
    "aiohttp_retry",
}


class WrappedGenerated(Rule):
    """Generated code is edited, wrapped or patched.

    The next generation throws the change away, and protection that sits there is missed by whoever looks at the adapter. Wrap the
    adapter's public method instead; generated code stays as it came.
    """

    code = "OAS-X1"
    nodes = (ast.Module, ast.Assign, ast.Call, ast.ClassDef)

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that a generator made, and those that name one."""
        return any(folder in text for folder in GENERATED_FOLDERS) or is_generated(text, parts)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Resilience libraries imported in generated code; attributes of generated code that are assigned, and methods wrapped."""
        if self.view.roles.generated:
            yield from self._inside(node)
        elif isinstance(node, ast.Assign):
            if any(isinstance(t, ast.Attribute) and self._patched(t.value, node.value) for t in node.targets):
                yield self.finding(node)
        elif isinstance(node, ast.ClassDef):
            yield from self._overridden(node)
        elif isinstance(node, ast.Call):
            patches = last_name(node.func) == "setattr" or self.resolver.name(node.func).endswith(
                ("patch.object", "wrap_function_wrapper", "monkeypatch.setattr")
            )
            if patches and node.args and self._patched(node.args[0], node.args[-1]):
                yield self.finding(node)

    def _inside(self, node: ast.AST) -> Iterator[Finding]:
        """What wraps in a generated file: decorators, loops, breakers; the import where nothing in the file uses it."""
        if not isinstance(node, ast.Module):
            return
        places: list[ast.AST] = [
            d
            for function in self.source.nodes(*FUNCTIONS)
            if isinstance(function, FUNCTIONS)
            for d in function.decorator_list
            if self._protects(d)
        ]
        blocks: list[ast.With | ast.AsyncWith] = [*self.source.nodes(ast.With), *self.source.nodes(ast.AsyncWith)]
        places += [b for b in blocks if any(self._limits(i.context_expr) for i in b.items)]
        loops: list[ast.For | ast.AsyncFor] = [*self.source.nodes(ast.For), *self.source.nodes(ast.AsyncFor)]
        places += [n for n in loops if self.view.retries.policy(n.iter)]
        places += [c for c in self.source.nodes(ast.Call) if self._wraps(c) and not self._covered(c, places)]
        statements: list[ast.Import | ast.ImportFrom] = [
            *self.source.nodes(ast.Import),
            *self.source.nodes(ast.ImportFrom),
        ]
        imports = [n for n in statements if self._resilient(n)]
        yield from (self.finding(n) for n in places or imports)

    def _protects(self, node: ast.expr) -> bool:
        return bool(self.view.retries.policy(node)) or self.view.retries.breaker(node)

    def _limits(self, node: ast.expr) -> bool:
        """A semaphore or a breaker that is entered."""
        kind = self.resolver.kind(node)
        if (
            kind in ("", "typing.Any", "Any", "object")
            and not isinstance(node, ast.Call)
            and LIMIT_NAME.search(last_name(node))
        ):
            return True
        return kind in BREAKERS or kind.endswith(("Semaphore", "CapacityLimiter"))

    def _wraps(self, call: ast.Call) -> bool:
        """A breaker or policy that is built, or one that is called around something."""
        name = self.resolver.name(call.func)
        if self.resolver.kind(call.func) in BREAKERS:
            return True
        if isinstance(call.func, ast.Name) and BREAKER_NAME.search(call.func.id) and call.args:
            return self.resolver.function_of(call.args[0]) is not None
        if name.partition(".")[0] in LIBRARIES:
            return name in BREAKERS or name in POLICIES
        return isinstance(call.func, ast.Attribute) and call.func.attr in CALLS and self._protects(call.func.value)

    def _covered(self, call: ast.Call, places: list[ast.AST]) -> bool:
        around = {call, *self.source.ancestors(call)}
        return any(p in around or getattr(p, "iter", None) in around for p in places)

    def _overridden(self, node: ast.ClassDef) -> Iterator[Finding]:
        """A class over a generated one whose methods are wrapped in a retry or a breaker."""
        if not any(self._generated_name(b) for b in self.resolver.bases(node)):
            return
        for method in node.body:
            for decorator in method.decorator_list if isinstance(method, FUNCTIONS) else ():
                if self.view.retries.policy(decorator) or self.view.retries.breaker(decorator):
                    yield self.finding(decorator)

    def _resilient(self, node: ast.Import | ast.ImportFrom) -> bool:
        if isinstance(node, ast.Import):
            return any(a.name.split(".")[0] in LIBRARIES for a in node.names)
        module = node.module or ""
        return module.split(".")[0] in LIBRARIES or "resilience" in module.split(".")

    def _patched(self, owner: ast.expr, value: ast.expr) -> bool:
        """A module or class of generated code; or an object of one, when what it gets is a function."""
        if self._generated_name(self.resolver.name(owner)):
            return True
        if not self._generated_name(self.resolver.kind(owner)):
            return False
        wrapped = isinstance(value, ast.Call) and bool(
            self.view.retries.policy(value.func) or self.view.retries.breaker(value.func)
        )
        return wrapped or isinstance(value, ast.Lambda) or self.resolver.function_of(value) is not None

    def _generated_name(self, dotted: str) -> bool:
        return bool(GENERATED_FOLDERS & set(dotted.split(".")))
