"""Findings as people, GitHub and code scanning read them."""

import json
from collections.abc import Callable

from . import VERSION
from .finding import Finding, Rule
from .help_links import help_link
from .suppression import Suppression

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
OWN_CODES = {
    "SYNTAX": "A file that does not parse: no rule was checked in it.",
    "IGNORE": "A suppression without code and reason, or one that silences nothing.",
}
Report = Callable[[list[Finding], list[Suppression], list[type[Rule]]], str]


def text(findings: list[Finding], suppressions: list[Suppression], _: list[type[Rule]]) -> str:
    """A line per finding, then the suppressions in use."""
    return "\n".join([f.text() for f in findings] + [s.text() for s in suppressions])


def github(findings: list[Finding], suppressions: list[Suppression], _: list[type[Rule]]) -> str:
    """Annotations of a pull request."""
    lines = [
        f"::{f.level} file={_property(f.path)},line={f.line},col={f.column},title={_property(f.code)}::{_data(f'{f.code} {f.message}')}"
        for f in findings
    ]
    lines += [
        f"::notice file={_property(s.path)},line={s.line},title=ignored {s.code}::{_data(s.reason)}"
        for s in suppressions
    ]
    return "\n".join(lines)


def sarif(findings: list[Finding], suppressions: list[Suppression], rules: list[type[Rule]]) -> str:
    """SARIF 2.1.0 with the list of rules, help links, and suppressed results."""
    listed = [_rule(r.code, r.title(), r.explain(), r.level) for r in rules]
    listed += [_rule(code, said, said, "error") for code, said in OWN_CODES.items()]
    index = {str(r["id"]): i for i, r in enumerate(listed)}
    results = [_result(f.code, index, f.level, f.message, f.path, f.line, f.column) for f in findings]
    titles = {r.code: r.title() for r in rules}
    for s in suppressions:
        result = _result(s.code, index, "error", titles.get(s.code, s.code), s.path, s.target, 1)
        result["suppressions"] = [{"kind": "inSource", "justification": s.reason}]
        results.append(result)
    driver = {"name": "resilience-rules", "version": VERSION, "informationUri": help_link(""), "rules": listed}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


FORMATS: dict[str, Report] = {"text": text, "github": github, "sarif": sarif}


def _rule(code: str, title: str, explanation: str, level: str) -> dict[str, object]:
    return {
        "id": code,
        "name": code.title().replace("-", ""),
        "shortDescription": {"text": title},
        "fullDescription": {"text": explanation},
        "help": {"text": explanation, "markdown": f"**{code}** {explanation}"},
        "helpUri": help_link(code),
        "defaultConfiguration": {"level": level},
    }


def _result(
    code: str, index: dict[str, int], level: str, message: str, path: str, line: int, column: int
) -> dict[str, object]:
    region = {"startLine": line, "startColumn": column}
    where = {"physicalLocation": {"artifactLocation": {"uri": _uri(path)}, "region": region}}
    return {
        "ruleId": code,
        "ruleIndex": index.get(code, -1),
        "level": level,
        "message": {"text": message},
        "locations": [where],
    }


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path)


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
