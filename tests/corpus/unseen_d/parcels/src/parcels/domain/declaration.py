from dataclasses import asdict, dataclass
from enum import StrEnum


class DeclarationState(StrEnum):
    PENDING = "pending"
    RELEASED = "released"
    HELD = "held"
    UNKNOWN = "unknown"


@dataclass
class Declaration:
    parcel: str
    goods: str
    weight_grams: int

    def as_dict(self) -> dict:
        return asdict(self)
