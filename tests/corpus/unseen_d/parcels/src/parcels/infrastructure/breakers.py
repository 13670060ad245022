from datetime import timedelta

from aiobreaker import CircuitBreaker

from parcels.config import Customs, Nordpost, Paywell, SystemSettings


def _make(name: str, cfg: SystemSettings) -> CircuitBreaker:
    return CircuitBreaker(fail_max=cfg.fail_max, timeout_duration=timedelta(seconds=cfg.open_seconds), name=name)  # looks like CB-X3


nordpost_breaker = _make("nordpost", Nordpost())
paywell_breaker = CircuitBreaker(fail_max=Paywell().fail_max, name="paywell")  # looks like CB-X3
customs_breaker = CircuitBreaker(fail_max=Customs().fail_max, name="paywell")  #! CB-X3
database_breaker = CircuitBreaker(fail_max=SystemSettings().fail_max)  #! CB-X3
