from aiobreaker import CircuitBreaker, CircuitBreakerListener

from remit.settings import SystemSettings, settings


class StateLog(CircuitBreakerListener):
    """Counts, decides nothing: the state machine is the library's."""

    def __init__(self) -> None:
        self.failures = 0  # looks like CB-X2: a listener's metric
        self.opened_at: dict[str, object] = {}

    def failure(self, breaker: CircuitBreaker, exc: Exception) -> None:
        self.failures += 1

    def state_change(self, breaker: CircuitBreaker, old: object, new: object) -> None:
        self.opened_at[str(breaker.name)] = new


def breaker_for(system: str, conf: SystemSettings) -> CircuitBreaker:
    # looks like CB-X3: the name is the caller's
    return CircuitBreaker(fail_max=conf.fail_max, timeout_duration=conf.open_for, listeners=[StateLog()], name=system)


def all_named(systems: dict[str, SystemSettings]) -> dict[str, CircuitBreaker]:
    return {system: breaker_for(system, conf) for system, conf in systems.items()}  # looks like CB-X3


view_breaker = breaker_for("view", settings.ledger)
payouts_breaker = breaker_for("payouts", settings.payouts)
