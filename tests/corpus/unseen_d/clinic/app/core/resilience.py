import asyncio
import time
from datetime import datetime, timedelta

import httpx
from aiobreaker import CircuitBreaker, CircuitBreakerListener
from tenacity import retry_if_exception_type, stop_after_attempt, stop_after_delay, wait_exponential

from app.core.config import settings

lab_gate = asyncio.Semaphore(settings.LAB_CALLS)  # looks like CFG-X1
insurer_gate = asyncio.Semaphore(value=12)  #! CFG-X1
lab_timeout = httpx.Timeout(settings.LAB_TOTAL)
sms_timeout = httpx.Timeout(timeout=4)  #! CFG-X1
lab_stop = stop_after_attempt(settings.LAB_ATTEMPTS)
sms_stop = stop_after_delay(2.5)  #! CFG-X1
transient = retry_if_exception_type((httpx.ConnectError, httpx.ConnectTimeout))
growing = wait_exponential()


class StateLog(CircuitBreakerListener):  # looks like CB-X2
    def __init__(self) -> None:
        self.opened = 0

    def state_change(self, breaker, old, new) -> None:
        if new.state.name == "OPEN":
            self.opened += 1


lab_breaker = CircuitBreaker(fail_max=settings.INSURER_FAILURES, name="lab", listeners=[StateLog()])
insurer_breaker = CircuitBreaker(  #! CB-X3
    fail_max=settings.INSURER_FAILURES,
    listeners=[StateLog()],
)


class EndpointSwitch:  #! CB-X2
    """Turns a remote endpoint off for a while when it misbehaves."""

    def __init__(self, tolerated: int, cool_off: timedelta) -> None:
        self.tolerated = tolerated
        self.cool_off = cool_off
        self.consecutive_errors = 0
        self.blocked_until: datetime | None = None

    def allows(self) -> bool:
        return self.blocked_until is None or datetime.now() >= self.blocked_until

    def succeeded(self) -> None:
        self.consecutive_errors = 0
        self.blocked_until = None

    def failed(self) -> None:
        self.consecutive_errors += 1
        if self.consecutive_errors >= self.tolerated:
            self.blocked_until = datetime.now() + self.cool_off


def guarded(tolerated: int, cool_off: float):  #! CB-X2
    failures = 0
    open_since = None

    def decorate(function):
        async def call(*args):
            nonlocal failures, open_since
            if open_since is not None and time.monotonic() - open_since < cool_off:
                raise ConnectionError("circuit open")
            try:
                value = await function(*args)
            except (OSError, TimeoutError):
                failures += 1
                if failures >= tolerated:
                    open_since = time.monotonic()
                raise
            failures, open_since = 0, None
            return value
        return call
    return decorate


class PinPad:
    """Local input check: locks after wrong PINs, calls nobody."""

    def __init__(self, allowed: int) -> None:
        self.wrong = 0
        self.allowed = allowed

    def enter(self, given: str, right: str) -> bool:  # looks like CB-X2
        if given != right:
            self.wrong += 1
            return False
        self.wrong = 0
        return True
