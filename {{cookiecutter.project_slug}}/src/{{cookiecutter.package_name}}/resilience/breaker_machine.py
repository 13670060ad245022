"""aiobreaker, cured from its own extension points.

aiobreaker 1.2.0 counts consecutive failures only and reads the wall clock: `utcnow` warns since Python 3.12 and, under
`-W error`, keeps the breaker from opening; `opens_at` mixes UTC with local time. Here a storage hosts the window, the
machine carries no time at all, and `breaker.py` asks the monotonic clock.
"""

from aiobreaker.circuitbreaker import CircuitBreaker
from aiobreaker.listener import CircuitBreakerListener
from aiobreaker.state import CircuitBreakerState
from aiobreaker.storage.memory import CircuitMemoryStorage

from .window import CallWindow


class WindowStorage(CircuitMemoryStorage):
    """Hosts the window: the machine opens when `counter` reaches `fail_max=1`, which is when the window says so."""

    def __init__(self, window: CallWindow) -> None:
        super().__init__(CircuitBreakerState.CLOSED)
        self.window = window
        self.slow = False
        """Whether the call that the machine records next was slow."""

    @property
    def state(self) -> CircuitBreakerState:
        """The machine's state."""
        return self._state

    @state.setter
    def state(self, state: CircuitBreakerState) -> None:
        self._state = state
        self.window.clear()

    def increment_counter(self) -> None:
        """Record a failure."""
        self._record(failed=True)

    def reset_counter(self) -> None:
        """Record a success; aiobreaker also calls this while it closes, when nothing is recorded."""
        self._record(failed=False)

    @property
    def counter(self) -> int:
        """1 when the breaker has to open."""
        return 1 if self._state is CircuitBreakerState.CLOSED and self.window.is_sick else 0

    @property
    def opened_at(self) -> None:
        """No wall clock."""

    @opened_at.setter
    def opened_at(self, _: object) -> None:
        raise NotImplementedError

    def _record(self, *, failed: bool) -> None:
        if self._state is CircuitBreakerState.CLOSED:
            self.window.add(failed=failed, slow=self.slow)


class Machine(CircuitBreaker):
    """aiobreaker's three states, without its wall clock."""

    def __init__(self, system: str, storage: WindowStorage, listener: CircuitBreakerListener) -> None:
        super().__init__(fail_max=1, listeners=[listener], state_storage=storage, name=system)

    def open(self) -> None:
        """Open the circuit."""
        self.state = self._state_storage.state = CircuitBreakerState.OPEN

    @property
    def opens_at(self) -> None:
        """No wall clock."""
