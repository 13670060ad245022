from dataclasses import dataclass
from functools import lru_cache

import httpx as hx
from aiobreaker import CircuitBreaker as Breaker

from remit.adapters.outbound.fx.adapter import FxAdapter
from remit.adapters.outbound.ledger.adapter import LedgerAdapter
from remit.adapters.outbound.screening.adapter import ScreeningAdapter
from remit.settings import Settings, SystemSettings


def timeouts(conf: SystemSettings) -> hx.Timeout:
    return hx.Timeout(connect=conf.connect_s, read=conf.read_s, write=conf.read_s, pool=conf.pool_wait_s)


def new_client(conf: SystemSettings) -> hx.AsyncClient:
    limits = hx.Limits(max_connections=conf.pool_size, max_keepalive_connections=conf.pool_size)
    return hx.AsyncClient(base_url=conf.base_url, timeout=timeouts(conf), limits=limits)  # looks like ISO-X2: both are given


@lru_cache
def probe_client(base_url: str) -> hx.AsyncClient:
    return hx.AsyncClient(base_url=base_url, follow_redirects=False)  #! ISO-X2


@dataclass
class Container:
    ledger: LedgerAdapter
    fx: FxAdapter
    screening: ScreeningAdapter
    breakers: dict[str, Breaker]


def build(settings: Settings) -> Container:
    own = new_client(settings.ledger)
    partners = new_client(settings.fx)
    breakers = {
        "archive": Breaker(fail_max=settings.archive.fail_max, timeout_duration=settings.archive.open_for, name="archive"),
        "notices": Breaker(name="notices", fail_max=settings.notices.fail_max, timeout_duration=settings.notices.open_for),
        "screening": Breaker(fail_max=settings.screening.fail_max, timeout_duration=settings.screening.open_for),  #! CB-X3
    }
    ledger = LedgerAdapter(own)
    fx = FxAdapter(partners, settings.fx)
    screening = ScreeningAdapter(partners, settings.screening)  #! ISO-X1
    return Container(ledger, fx, screening, breakers)


def build_isolated(settings: Settings) -> tuple[FxAdapter, ScreeningAdapter]:
    http = new_client(settings.fx)
    fx = FxAdapter(http, settings.fx)
    http = new_client(settings.screening)
    screening = ScreeningAdapter(http, settings.screening)  # looks like ISO-X1: the name is reused, the client is not
    return fx, screening
