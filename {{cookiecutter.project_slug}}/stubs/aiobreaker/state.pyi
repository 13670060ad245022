from datetime import datetime
from enum import Enum

class CircuitBreakerError(Exception):
    message: str
    reopen_time: datetime | None

class CircuitBreakerBaseState:
    @property
    def state(self) -> CircuitBreakerState: ...

class CircuitClosedState(CircuitBreakerBaseState): ...
class CircuitOpenState(CircuitBreakerBaseState): ...
class CircuitHalfOpenState(CircuitBreakerBaseState): ...

class CircuitBreakerState(Enum):
    OPEN = CircuitOpenState
    CLOSED = CircuitClosedState
    HALF_OPEN = CircuitHalfOpenState
