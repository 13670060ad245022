"""Breakers of the outside systems."""
from datetime import timedelta

import aiobreaker
from aiobreaker import CircuitBreaker, CircuitBreakerListener

from app.core.config import SystemSettings, settings
from app.core.http import build_client


class LogListener(CircuitBreakerListener):
    def state_change(self, breaker, old, new):
        print(breaker.name, old.state, new.state)


def build_breaker(system: SystemSettings, name: str) -> CircuitBreaker:
    return CircuitBreaker(
        fail_max=system.breaker_failures,
        timeout_duration=system.breaker_open,
        listeners=[LogListener()],
        name=name,
    )


acquiring_breaker = build_breaker(settings.acquiring, "acquiring")
courier_breaker = CircuitBreaker(fail_max=settings.courier.breaker_failures, timeout_duration=settings.courier.breaker_open)  #! CB-X3
rates_breaker = aiobreaker.CircuitBreaker(settings.rates.breaker_failures, timedelta(seconds=settings.rates.breaker_open_seconds))  #! CB-X3

scoring_breaker = CircuitBreaker(name="scoring", fail_max=settings.scoring.breaker_failures, timeout_duration=settings.scoring.breaker_open)
notify_breaker = CircuitBreaker(name="scoring", fail_max=settings.notify.breaker_failures, timeout_duration=settings.notify.breaker_open)  #! CB-X3


class Stamps:
    """Breaker and client of the stamp service."""

    def __init__(self, system: SystemSettings) -> None:
        self.breaker = CircuitBreaker(
            fail_max=system.breaker_failures,
            timeout_duration=system.breaker_open,
            name="stamps",
        )
        self.client = build_client(system)


class Vouchers:
    def __init__(self, system: SystemSettings) -> None:
        self.breaker = CircuitBreaker(system.breaker_failures, system.breaker_open, name=None)  #! CB-X3
        self.client = build_client(system)
