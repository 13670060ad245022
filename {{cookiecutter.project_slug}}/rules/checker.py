"""One file through all rules: parse once, traverse once, hand each node to the rules that want its type."""

import ast
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from .finding import Finding, Rule
from .modules import Modules, source_of
from .suppression import Suppression, apply, read
from .view import View


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check: where it is, how findings call it, and the folders that tell its role."""

    path: Path
    shown: str
    parts: tuple[str, ...]
    in_tests: bool
    root: Path | None = None  # of the tree; imports are followed within it


@dataclass(slots=True)
class Outcome:
    """What one file gave: findings, suppressions in use, and the other files that were read on the way."""

    findings: list[Finding] = field(default_factory=list)
    suppressions: list[Suppression] = field(default_factory=list)
    read: dict[str, str] = field(default_factory=dict)  # path -> content hash


def check(target: Target, content: bytes, rules: list[type[Rule]]) -> Outcome:
    """Everything the rules say about one file. A file that does not parse is a finding."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the code that is read are none of ours
        return _check(target, content, rules)


def _check(target: Target, content: bytes, rules: list[type[Rule]]) -> Outcome:
    try:
        text = _decode(content)
        concerned = [r for r in rules if r.concerns(text, target.parts) and not (r.exempt_in_tests and target.in_tests)]
        source = source_of(target.path, text, content, target.parts) if concerned else None
        if source is None:
            ast.parse(text)  # that it can be read is worth knowing all the same
        else:
            source.shown, source.parts, source.in_tests = target.shown, target.parts, target.in_tests
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 1
        column = getattr(error, "offset", None) or 1
        message = f"The file does not parse, so no rule was checked: {getattr(error, 'msg', None) or error}."
        return Outcome([Finding(target.shown, line, column, "SYNTAX", "error", message)])
    modules = Modules(target.path, target.root)
    try:
        findings = _visit(View(source, modules), concerned) if source is not None else []
    except RecursionError:
        findings = [Finding(target.shown, 1, 1, "SYNTAX", "error", "The file is nested too deeply to be checked.")]
    suppressions, broken = read(target.shown, text)
    left, used = apply(findings, suppressions)
    return Outcome(sorted({*left, *broken}), used, modules.read)


def _visit(view: View, rules: list[type[Rule]]) -> list[Finding]:
    by_type: dict[type[ast.AST], list[Rule]] = {}
    for kind in rules:
        rule = kind(view)
        for node_type in kind.nodes:
            by_type.setdefault(node_type, []).append(rule)
    findings = [
        finding
        for node_type, interested in by_type.items()
        for node in view.source.by_type.get(node_type, ())
        for rule in interested
        for finding in rule.visit(node)
    ]
    return _without_echo(findings)


def _without_echo(findings: list[Finding]) -> list[Finding]:
    """A suspicion about a line that has an error already is not worth a line of its own."""
    certain = {f.line for f in findings if f.level == "error"}
    suspected = {(f.line, f.code) for f in findings if f.level == "warning"}
    kept = [f for f in findings if f.level == "error" or f.line not in certain]
    return kept if suspected else findings


def _decode(content: bytes) -> str:
    import io
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
