import time
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

import pybreaker
from aiobreaker import CircuitBreaker

from app.core.config import Upstream, get_config

config = get_config()

stock_breaker = CircuitBreaker(fail_max=config.stock.trip_after, timeout_duration=config.stock.rest, name="stock")
shipping_breaker = CircuitBreaker(fail_max=config.shipping.trip_after, timeout_duration=config.shipping.rest, name="shipping")
pay_breaker = CircuitBreaker(fail_max=config.pay.trip_after, timeout_duration=config.pay.rest, name="shipping")  #! CB-X3
tax_breaker = pybreaker.CircuitBreaker(fail_max=config.tax.trip_after, reset_timeout=config.tax.rest.total_seconds())  #! CB-X3
loyalty_breaker = pybreaker.CircuitBreaker(
    name="loyalty",  # looks like CB-X3: named, in another order
    fail_max=config.loyalty.trip_after,
    reset_timeout=config.loyalty.rest.total_seconds(),
)


def named(name: str, up: Upstream) -> CircuitBreaker:
    return CircuitBreaker(up.trip_after, up.rest, name=f"{name}-upstream")  # looks like CB-X3: each has its own


class CircuitOpen(Exception):
    pass


class FailureGate:  #! CB-X2
    def __init__(self, threshold: int, rest: float) -> None:
        self._threshold = threshold
        self._rest = rest
        self._failures = 0
        self._opened_at: float | None = None

    async def run(self, func: Callable[..., Awaitable[Any]], *args: Any) -> Any:
        if self._opened_at is not None:
            if time.monotonic() - self._opened_at < self._rest:
                raise CircuitOpen
            self._opened_at = None
        try:
            result = await func(*args)
        except Exception:
            self._failures += 1
            if self._failures >= self._threshold:
                self._opened_at = time.monotonic()
            raise
        self._failures = 0
        return result


def trip_after(threshold: int, rest: float) -> Callable[..., Any]:  #! CB-X2
    state = {"failures": 0, "open_until": 0.0}

    def decorate(func: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(func)
        async def guarded(*args: Any, **kwargs: Any) -> Any:
            if time.monotonic() < state["open_until"]:
                raise CircuitOpen
            try:
                result = await func(*args, **kwargs)
            except Exception:
                state["failures"] += 1
                if state["failures"] >= threshold:
                    state["open_until"] = time.monotonic() + rest
                raise
            state["failures"] = 0
            return result

        return guarded

    return decorate


class LoginThrottle:
    """looks like CB-X2: counts a user's wrong passwords, protects no outbound call."""

    def __init__(self, allowed: int) -> None:
        self._allowed = allowed
        self._wrong: dict[str, int] = {}

    def note(self, user: str) -> None:
        self._wrong[user] = self._wrong.get(user, 0) + 1

    def locked(self, user: str) -> bool:
        return self._wrong.get(user, 0) >= self._allowed
