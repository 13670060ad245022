from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class System:
    url: str
    total: float
    pool: int
    calls: int
    attempts: int
    failures: int
    cool_off: float


def load(name: str) -> System:
    env = os.environ
    return System(
        url=env[f"{name}_URL"],
        total=float(env[f"{name}_TOTAL"]),
        pool=int(env[f"{name}_POOL"]),
        calls=int(env[f"{name}_CALLS"]),
        attempts=int(env[f"{name}_ATTEMPTS"]),
        failures=int(env[f"{name}_FAILURES"]),
        cool_off=float(env[f"{name}_COOL_OFF"]),
    )


SEATS = load("SEATS")
TILL = load("TILL")
BADGES = load("BADGES")
