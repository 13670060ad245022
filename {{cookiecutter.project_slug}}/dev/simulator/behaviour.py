"""How a simulated system behaves: one document, replaced as a whole."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Fault: TypeAlias = Literal[
    "hang", "disconnect_before", "disconnect_after", "drip", "half_body", "malformed", "gzip_bomb"
]
DAY_S = 86_400.0


class Behaviour(BaseModel):
    """What is left out is the default: a healthy system. Durations are in seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    latency: float = Field(default=0.0, ge=0, le=DAY_S)
    """How long every answer takes, errors included."""

    error_rate: float = Field(default=0.0, ge=0, le=1)
    """Which share of the requests is answered with `status`, and not carried out."""

    status: int = Field(default=503, ge=300, le=599)

    retry_after: Annotated[float, Field(ge=0, le=DAY_S)] | Annotated[str, Field(pattern=r"^[ -~]{1,64}$")] | None = None
    """The header of those errors: seconds, or any text."""

    fault: Fault | None = None
    """What happens to submissions and polls, after `error_rate` has spared them."""

    outcome: Literal["confirmed", "rejected"] = "confirmed"
    """What becomes of an operation at the poll that decides it."""

    pending_polls: int = Field(default=1, ge=0)
    """How many polls find an operation undecided."""

    health: bool = False
    """Whether `/health` suffers, too."""
