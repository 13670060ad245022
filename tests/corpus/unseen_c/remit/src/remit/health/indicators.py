import asyncio
import time
from typing import Protocol

import httpx

from remit.domain.money import Money
from remit.ports import LedgerPort
from remit.settings import SystemSettings


class Indicator(Protocol):
    name: str

    async def probe(self) -> bool: ...


class LedgerIndicator:
    name = "ledger"

    def __init__(self, ledger: LedgerPort, conf: SystemSettings) -> None:
        self._ledger = ledger
        self._conf = conf

    async def probe(self) -> bool:
        async with asyncio.timeout(self._conf.total_s):
            entry = await self._ledger.post_entry("HEALTH", Money.zero("EUR"), f"probe-{time.time_ns()}")  #! HC-X2
        return bool(entry)


class FxIndicator:
    name = "fx"

    def __init__(self, http: httpx.AsyncClient, conf: SystemSettings) -> None:
        self._http = http
        self._conf = conf
        self.seen: dict[str, bool] = {}

    async def probe(self) -> bool:
        async with asyncio.timeout(self._conf.total_s):
            response = await self._http.get("/health")  # looks like HC-X2: a light read
        self.seen.update({self.name: response.is_success})  # looks like HC-X2: its own memory
        return response.is_success


class ScreeningIndicator:
    name = "screening"

    def __init__(self, http: httpx.AsyncClient, conf: SystemSettings) -> None:
        self._http = http
        self._conf = conf

    async def probe(self) -> bool:
        async with asyncio.timeout(self._conf.total_s):
            response = await self._http.options("/checks")  # looks like HC-X2: OPTIONS changes nothing
        return response.status_code < 500
