from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from typing import ParamSpec, TypeVar

from .listener import CircuitBreakerListener
from .state import CircuitBreakerBaseState, CircuitBreakerState
from .storage.base import CircuitBreakerStorage

P = ParamSpec("P")
R = TypeVar("R")

class CircuitBreaker:
    _state_storage: CircuitBreakerStorage
    def __init__(
        self,
        fail_max: int = 5,
        timeout_duration: timedelta | None = None,
        exclude: Iterable[Callable[[Exception], bool] | type[Exception]] | None = None,
        listeners: Iterable[CircuitBreakerListener] | None = None,
        state_storage: CircuitBreakerStorage | None = None,
        name: str | None = None,
    ) -> None: ...
    @property
    def state(self) -> CircuitBreakerBaseState: ...
    @state.setter
    def state(self, state_str: CircuitBreakerState) -> None: ...
    @property
    def current_state(self) -> CircuitBreakerState: ...
    @property
    def opens_at(self) -> datetime | None: ...
    async def call_async(self, func: Callable[P, Awaitable[R]], *args: P.args, **kwargs: P.kwargs) -> R: ...
    def open(self) -> None: ...
    def half_open(self) -> None: ...
    def close(self) -> None: ...
