from collections.abc import Callable

from .circuitbreaker import CircuitBreaker
from .state import CircuitBreakerBaseState

class CircuitBreakerListener:
    def before_call(
        self, breaker: CircuitBreaker, func: Callable[..., object], *args: object, **kwargs: object
    ) -> None: ...
    def failure(self, breaker: CircuitBreaker, exception: Exception) -> None: ...
    def success(self, breaker: CircuitBreaker) -> None: ...
    def state_change(
        self, breaker: CircuitBreaker, old: CircuitBreakerBaseState | None, new: CircuitBreakerBaseState
    ) -> None: ...
