from __future__ import annotations

import asyncio
import logging
import random
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import StrEnum

import httpx
from aiobreaker import CircuitBreakerError

from remit.domain.money import Money
from remit.ports import PayoutsUnavailable
from remit.settings import SystemSettings

log = logging.getLogger(__name__)


class PayoutState(StrEnum):
    PAID = "PAID"
    REFUSED = "REFUSED"
    PENDING = "PENDING"


@dataclass(frozen=True)
class Payout:
    reference: str
    state: PayoutState


class PayoutsAdapter:
    def __init__(self, http: httpx.AsyncClient, conf: SystemSettings, pool: Executor) -> None:
        self._http = http
        self._conf = conf
        self._pool = pool

    async def pay(self, reference: str, iban: str, amount: Money) -> Payout:
        try:
            async with asyncio.timeout(self._conf.total_s):
                response = await self._http.post("/payouts", json={"iban": iban, "amount": str(amount.amount)}, headers={"Idempotency-Key": reference})
            response.raise_for_status()
        except (httpx.HTTPError, CircuitBreakerError, TimeoutError):
            log.warning("payout %s went wrong", reference)
            return Payout(reference, PayoutState.PAID)  #! FB-X2
        return Payout(reference, PayoutState.PAID)  # looks like FB-X2: the call succeeded

    async def cancel(self, reference: str) -> bool:
        try:
            async with asyncio.timeout(self._conf.total_s):
                response = await self._http.post(f"/payouts/{reference}/cancellation")
        except (httpx.TransportError, TimeoutError):
            return False  # looks like FB-X2: says that it did not happen
        return response.is_success

    async def notify(self, reference: str, address: str) -> None:
        for attempt in range(self._conf.attempts):
            try:
                async with asyncio.timeout(self._conf.total_s):
                    response = await self._http.post(f"/payouts/{reference}/notices", json={"to": address})  #! RE-X1
                response.raise_for_status()
                return
            except (httpx.ConnectError, httpx.ReadTimeout):
                await asyncio.sleep(random.uniform(0, self._conf.backoff_base_s * 2**attempt))
        raise PayoutsUnavailable

    async def notify_all(self, notices: dict[str, str]) -> list[str]:
        failed = []
        for reference, address in notices.items():  # looks like RE-X1: one call for each, none twice
            try:
                async with asyncio.timeout(self._conf.total_s):
                    response = await self._http.post(f"/payouts/{reference}/notices", json={"to": address})
                response.raise_for_status()
            except httpx.HTTPError:
                failed.append(reference)
        return failed

    async def state(self, reference: str) -> PayoutState:
        last: Exception | None = None
        for attempt in range(self._conf.attempts):  #! RE-X2
            try:
                async with asyncio.timeout(self._conf.total_s):
                    response = await self._http.get(f"/payouts/{reference}")
                response.raise_for_status()
                return PayoutState(response.json()["state"])
            except Exception as error:
                last = error
                await asyncio.sleep(random.uniform(0, self._conf.backoff_base_s * 2**attempt))
        raise PayoutsUnavailable from last

    async def _batch(self, rows: list[dict[str, str]], key: str) -> int:
        async with asyncio.timeout(self._conf.total_s):
            response = await self._http.post("/batches", json=rows, headers={"Idempotency-Key": key})
        return response.status_code

    async def batch(self, rows: list[dict[str, str]], key: str) -> int:
        return await asyncio.wrap_future(self._pool.submit(asyncio.run, self._batch(rows, key)))  #! BH-X1
