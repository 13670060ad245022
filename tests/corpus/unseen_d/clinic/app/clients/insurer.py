import asyncio
import logging
from contextlib import suppress
from decimal import Decimal as Dec

import httpx

from app.core.config import settings

log = logging.getLogger(__name__)
RETRIABLE = (httpx.ConnectError, httpx.ReadTimeout)


class InsurerError(Exception):
    """The insurer cannot be reached."""


class InsurerClient:
    http: httpx.AsyncClient

    def __init__(self, http: httpx.AsyncClient):
        self.http = http

    async def copayment(self, policy: str, code: str) -> Dec:
        try:
            async with asyncio.timeout(settings.INSURER_TOTAL):
                r = await self.http.get(f"/policies/{policy}/copay/{code}")
        except RETRIABLE as exc:
            log.warning("insurer: %s", exc)
            return Dec("0")  #! FB-X1
        return Dec(r.json()["amount"])

    async def copayment_or_error(self, policy: str, code: str) -> Dec:
        try:
            async with asyncio.timeout(settings.INSURER_TOTAL):
                r = await self.http.get(f"/policies/{policy}/copay/{code}")
        except RETRIABLE as exc:
            raise InsurerError from exc  # looks like FB-X1
        return Dec(r.json().get("amount", "0"))

    async def remaining_budget(self, policy: str) -> Dec | None:
        with suppress(TimeoutError, *RETRIABLE):
            async with asyncio.timeout(settings.INSURER_TOTAL):
                r = await self.http.get(f"/policies/{policy}/budget")
                return Dec(r.json()["left"])
        return None  #! FB-X1

    async def dependants(self, policy: str) -> int:
        try:
            async with asyncio.timeout(settings.INSURER_TOTAL):
                r = await self.http.get(f"/policies/{policy}/dependants")
        except RETRIABLE:
            return 0  # looks like FB-X1
        return len(r.json())

    async def pre_approve(self, policy: str, code: str) -> dict:
        try:
            async with asyncio.timeout(settings.INSURER_TOTAL):
                r = await self.http.post("/approvals", json={"policy": policy, "code": code})
        except RETRIABLE:
            return {"approved": True, "status": "success"}  #! FB-X2
        return r.json()

    async def pre_approve_later(self, policy: str, code: str) -> dict:
        try:
            async with asyncio.timeout(settings.INSURER_TOTAL):
                r = await self.http.post("/approvals", json={"policy": policy, "code": code})
        except RETRIABLE:
            return {"approved": False, "status": "unavailable"}  # looks like FB-X2
        return r.json()

    async def file_claim(self, claim: dict) -> dict:
        for n in range(settings.LAB_ATTEMPTS):
            try:
                async with asyncio.timeout(settings.INSURER_TOTAL):
                    r = await self.http.post("/claims", json=claim)  #! RE-X1
                return r.json()
            except httpx.ConnectError:
                await asyncio.sleep(0.1 * 2**n)
        raise InsurerError

    async def card(self, policy: str) -> dict:
        r = await self.http.get(f"/policies/{policy}/card", timeout=settings.INSURER_TOTAL)  #! ASYNC-3
        return r.json()

    async def card_bounded(self, policy: str) -> dict:
        fetch = self.http.get(f"/policies/{policy}/card")  # looks like ASYNC-3
        r = await asyncio.wait_for(fetch, timeout=settings.INSURER_TOTAL)
        return r.json()
