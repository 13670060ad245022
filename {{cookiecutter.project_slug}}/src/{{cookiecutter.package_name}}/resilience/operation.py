"""A method of an adapter, as the guard knows it."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What an operation may do at the other side."""

    READ = "read"
    KEYED_WRITE = "keyed_write"
    WRITE = "write"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Operation:
    """Name in metrics and spans, and kind."""

    name: str
    kind: Kind

    @property
    def is_repeatable(self) -> bool:
        """Whether a second attempt does no harm (R-RES-RE-1)."""
        return self.kind is Kind.READ or self.kind is Kind.KEYED_WRITE
