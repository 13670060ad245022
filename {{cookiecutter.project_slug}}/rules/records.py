"""Outcomes as plain data, to be kept in a cache or handed from one process to another."""

from .checker import Outcome
from .finding import Finding
from .suppression import Suppression

Record = dict[str, object]


def to_record(outcome: Outcome) -> Record:
    """An outcome as JSON can hold it."""
    return {
        "findings": [[f.path, f.line, f.column, f.code, f.level, f.message] for f in outcome.findings],
        "suppressions": [[s.path, s.line, s.target, s.code, s.reason] for s in outcome.suppressions],
        "read": outcome.read,
    }


def from_record(record: Record) -> Outcome:
    """The outcome that a record holds; raises KeyError, TypeError or ValueError where it is none."""
    findings, suppressions, read = record["findings"], record["suppressions"], record["read"]
    if not (isinstance(findings, list) and isinstance(suppressions, list) and isinstance(read, dict)):
        raise TypeError("not an outcome")
    return Outcome([Finding(*f) for f in findings], [Suppression(*s) for s in suppressions], read)
