"""A finding, and the form that every rule has."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from .view import View

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A place in a file that breaks a rule; `warning` where the checker can only suspect."""

    path: str
    line: int
    column: int
    code: str
    level: Level
    message: str

    def text(self) -> str:
        """The line that people and problem matchers read."""
        mark = " [warning]" if self.level == "warning" else ""
        return f"{self.path}:{self.line}:{self.column}: {self.code}{mark} {self.message}"


class Rule:
    """One rule. The docstring of a subclass is what users read: what is wrong, why, and the way out.

    A subclass names its code and the node types it wants to see; `visit` gets each node of those types once.
    """

    code: ClassVar[str] = ""
    level: ClassVar[Level] = "error"
    nodes: ClassVar[tuple[type[ast.AST], ...]] = ()
    exempt_in_tests: ClassVar[bool] = False
    needs: ClassVar[
        tuple[tuple[str, ...], ...]
    ] = ()  # a file without one word of each group holds nothing for this rule

    def __init__(self, view: "View") -> None:
        self.view = view
        self.source = view.source
        self.resolver = view.resolver
        self.values = view.values

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Findings about one node."""
        raise NotImplementedError

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Whether a file can hold anything for this rule; a look at the text spares the rest."""
        for group in cls.needs:
            for word in group:
                if word in text:
                    break
            else:
                return False
        return True

    def finding(self, node: ast.AST, level: Level | None = None, about: str = "") -> Finding:
        """A finding at the line of `node`, with the rule's own words; `about` says what was seen."""
        message = self.explain()
        return Finding(
            path=self.source.shown,
            line=getattr(node, "lineno", 1),
            column=getattr(node, "col_offset", 0) + 1,
            code=self.code,
            level=level or self.level,
            message=f"{about}: {message}" if about else message,
        )

    @classmethod
    def explain(cls) -> str:
        """The docstring as one line."""
        return " ".join(inspect.cleandoc(cls.__doc__ or "").split())

    @classmethod
    def title(cls) -> str:
        """The first sentence of the docstring."""
        return inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]
