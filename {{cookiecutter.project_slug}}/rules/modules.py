"""Other modules of the tree, read when an answer hangs on one: `from .limits import PAUSE`, `await clock.pause()`."""

import ast
import hashlib
import re
import sys
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from . import whereabouts
from .arithmetic import UNKNOWN, Candidates
from .binding import FUNCTIONS, Binding, Scope
from .functions import Foreign
from .source import Source
from .whereabouts import locate

if TYPE_CHECKING:
    from .view import View

_sources: dict[Path, tuple[bytes, Source]] = {}
CLASSES = re.compile(
    r"(Client|Breaker|Retrying|Semaphore|Limiter|Session|Timeout|Limits|Transport|Decimal|Executor|Response)$"
)
HOPS = 5  # re-exports that one name is followed through
LARGEST = 200_000  # bytes; constants and helpers do not live in generated files


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a dotted name leads: the module, and the bindings of the name in it."""

    view: "View"
    bindings: list[Binding]


class Modules:
    """The neighbours of one file. What was looked at is noted, so that a cached result knows when it is stale."""

    def __init__(self, path: Path, root: Path | None = None) -> None:
        self.path = path
        self.root = root
        self._touched: dict[str, Modules] = {}
        self._digests: dict[str, str] = {}
        self._known: dict[str, Place | str] = {}
        self._names: dict[str, str] = {}

    def follow(self, dotted: str, hops: int = 0) -> Place | str:
        """The place in the tree that a name leads to over re-exports, or its name where it leads out of the tree."""
        head = dotted.partition(".")[0]
        if hops > HOPS or head in sys.stdlib_module_names or head == "<here>":
            return dotted
        known = self._known.get(dotted)
        if known is None:
            self._known[dotted] = dotted
            known = self._known[dotted] = self._follow(dotted, hops)
        return known

    def name(self, dotted: str) -> str:
        """The name behind re-exports and aliases of other modules: `.clock.nap` is `asyncio.sleep`."""
        last = dotted.rpartition(".")[2]
        if last[:1].isupper() and not CLASSES.search(last):
            return dotted  # a class or constant of the tree: whoever needs more follows it
        return self.origin(dotted)

    def origin(self, dotted: str) -> str:
        """The name behind re-exports and aliases, of whatever it is."""
        known = self._names.get(dotted)
        if known is None:
            self._names[dotted] = dotted
            found = self.follow(dotted)
            if isinstance(found, Place):
                inner = found.view.resolver.of_binding(found.bindings[-1])
                found = inner if inner and not inner.startswith(("<here>", ".")) else dotted
            beside = found.startswith(".") and not dotted.startswith(
                "."
            )  # out of the tree, seen from where it was imported
            known = f"{dotted.rpartition('.')[0]}.{found.lstrip('.')}" if beside else found
            self._names[dotted] = known
        return known

    def constant(self, dotted: str, depth: int, configured: bool = False) -> Candidates:
        """The values of a module's constant, or of a class attribute in it."""
        found = self.follow(dotted)
        if not isinstance(found, Place):
            return [UNKNOWN]
        values = found.view.values.configured if configured else found.view.values
        binding = found.bindings[-1]
        return values.bound(binding, depth + 1) if configured or not values.is_setting(binding) else [UNKNOWN]

    def kind(self, dotted: str) -> str:
        """The class of the object that a name denotes."""
        found = self.follow(dotted)
        if not isinstance(found, Place):
            return ""
        kind = next((k for b in found.bindings for k in [found.view.resolver.kind_of_binding(b)] if k), "")
        return "" if kind.startswith("<here>") else kind

    def function(self, dotted: str) -> Foreign | None:
        """The function that a name denotes."""
        found = self.follow(dotted) if "." in dotted else dotted
        if not isinstance(found, Place):
            return None
        binding = found.bindings[-1]
        if isinstance(binding.node, FUNCTIONS):
            return Foreign(found.view, binding.node)
        function = found.view.resolver.function_of(binding.value) if binding.kind == "value" else None
        return Foreign(found.view, function) if function is not None else None

    def value(self, dotted: str) -> "tuple[View, ast.expr] | None":
        """The expression that a name of another module was assigned."""
        found = self.follow(dotted) if "." in dotted else dotted
        if not isinstance(found, Place) or found.bindings[-1].kind != "value" or found.bindings[-1].value is None:
            return None
        return found.view, found.bindings[-1].value

    def note(self, path: Path, content: bytes) -> None:
        """Remember that an answer hung on a file that is no module."""
        self._digests[str(path)] = hashlib.sha256(content).hexdigest()

    @property
    def read(self) -> dict[str, str]:
        """Path and content hash of every file that an answer hung on, over all hops."""
        seen: dict[str, str] = {}
        todo = [self]
        for modules in todo:
            todo.extend(inner for path, inner in modules._touched.items() if path not in seen)
            seen.update(modules._digests)
        return seen

    def _follow(self, dotted: str, hops: int) -> Place | str:
        located = locate(str(self.path), str(self.root or ""), dotted)
        if located is None or not located[1]:
            return dotted
        path, names = located
        loaded = _view(path, self.root) if path != str(self.path) else None
        if loaded is None:
            return dotted
        view, modules, digest = loaded
        self._touched[path], self._digests[path] = modules, digest
        scope = view.source.module
        for index, name in enumerate(names):
            bindings = _bindings(scope, name)
            if not bindings:
                return dotted
            last = bindings[-1]
            if last.kind == "import":
                return modules.follow(".".join([last.dotted, *names[index + 1 :]]), hops + 1)
            if index == len(names) - 1:
                return Place(view, bindings)
            if last.kind != "class":
                return dotted
            scope = view.source.scopes[last.node]
        return dotted


def forget() -> None:
    """Start anew: files may have changed since."""
    _view.cache_clear()
    _sources.clear()
    whereabouts.forget()


def _bindings(scope: Scope, name: str) -> list[Binding]:
    return [*scope.attributes.get(name, ()), *scope.names.get(name, ())]


def source_of(path: Path, text: str, content: bytes, parts: tuple[str, ...]) -> Source:
    """The source of a file, parsed and walked once per process however many files ask for it."""
    known = _sources.get(path)
    if known is not None and known[0] == content:
        return known[1]
    source = Source(path, str(path), text, parts, False, ast.parse(text))
    _sources[path] = (content, source)
    return source


@lru_cache(maxsize=2048)
def _view(path: str, root: Path | None) -> "tuple[View, Modules, str] | None":
    from .view import View

    content = Path(path).read_bytes()
    if len(content) > LARGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            source = source_of(Path(path), content.decode(), content, (Path(path).name,))
    except (SyntaxError, ValueError, RecursionError):
        return None
    modules = Modules(Path(path), root)
    return View(source, modules), modules, hashlib.sha256(content).hexdigest()
