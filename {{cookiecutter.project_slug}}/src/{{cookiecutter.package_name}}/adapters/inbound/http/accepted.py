"""What every answer to queued work has in common."""

from typing import Annotated

from fastapi import Path, Response

RETRY_AFTER_S = 1
"""A system is first asked for its result about a second after it took the work; looking earlier shows nothing new."""

BIGINT_MAX = 2**63 - 1
"""What a `bigint` column holds. Beyond it the database would answer with an error of its own."""

Id = Annotated[int, Path(ge=-BIGINT_MAX, le=BIGINT_MAX)]
"""Parameter of a route: the id of an aggregate."""


def point_to(response: Response, location: str) -> None:
    """Tell where the work can be watched, and from when on that is worth it (R-RES-ASYNC-1)."""
    response.headers["Location"] = location
    response.headers["Retry-After"] = str(RETRY_AFTER_S)
