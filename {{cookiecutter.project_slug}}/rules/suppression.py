"""`# rules: ignore CODE -- reason`: on the line of the finding, or on a comment line of its own above it."""

import io
import re
import tokenize
from dataclasses import dataclass

from .finding import Finding

COMMENT = re.compile(r"#\s*rules:\s*ignore\b(?P<rest>.*)$")
FULL = re.compile(r"^\s+(?P<code>[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*)\s+--\s+(?P<reason>\S.*)$")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: which code it silences on which line, and why."""

    path: str
    line: int  # of the comment
    target: int  # of the findings it silences
    code: str
    reason: str

    def text(self) -> str:
        """The line that the list of suppressions shows."""
        return f"{self.path}:{self.line}: {self.code} ignored: {self.reason}"


def read(path: str, text: str) -> tuple[list[Suppression], list[Finding]]:
    """The suppressions of a file, and findings for those without code or reason."""
    if "rules:" not in text:
        return [], []
    found: list[Suppression] = []
    broken: list[Finding] = []
    lines = text.splitlines()
    for token in _comments(text):
        match = COMMENT.search(token.string)
        if match is None:
            continue
        line, column = token.start
        full = FULL.match(match["rest"])
        if full is None:
            message = "A suppression needs one code and a reason: `# rules: ignore CODE -- reason`."
            broken.append(Finding(path, line, column + 1, "IGNORE", "error", message))
            continue
        alone = not lines[line - 1][:column].strip()
        found.append(
            Suppression(path, line, _next_code(lines, line) if alone else line, full["code"], full["reason"].strip())
        )
    return found, broken


def apply(findings: list[Finding], suppressions: list[Suppression]) -> tuple[list[Finding], list[Suppression]]:
    """The findings that are left, one more for each suppression that silences nothing; and the suppressions that do."""
    used = [s for s in suppressions if any(f.line == s.target and f.code == s.code for f in findings)]
    silenced = {(s.target, s.code) for s in used}
    left = [f for f in findings if (f.line, f.code) not in silenced]
    for unused in (s for s in suppressions if s not in used):
        message = f"This suppression silences nothing: {unused.code} is not found here. Remove it."
        left.append(Finding(unused.path, unused.line, 1, "IGNORE", "error", message))
    return left, used


def _next_code(lines: list[str], line: int) -> int:
    for number in range(line, len(lines)):
        stripped = lines[number].strip()
        if stripped and not stripped.startswith("#"):
            return number + 1
    return line


def _comments(text: str) -> list[tokenize.TokenInfo]:
    try:
        return [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return []
