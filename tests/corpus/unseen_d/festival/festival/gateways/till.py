from __future__ import annotations

import asyncio
import time
from decimal import Decimal
from enum import Enum

import aiohttp
import pybreaker
import requests

from festival.settings import TILL

breaker = pybreaker.CircuitBreaker(fail_max=TILL.failures, name="till")  # looks like CB-X3
refund_breaker = pybreaker.CircuitBreaker(fail_max=TILL.failures)  #! CB-X3


class Charge(Enum):
    PAID = "paid"
    PENDING = "pending"
    DECLINED = "declined"


class Till:
    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session

    async def _get(self, path: str) -> dict:
        async with asyncio.timeout(TILL.total):
            async with self.session.get(path) as answer:
                return await answer.json()

    async def open_amount(self, order: int) -> Decimal:
        return Decimal((await self._get(f"/orders/{order}"))["open"])

    async def wallet_balance(self, visitor: int) -> Decimal:
        try:
            return Decimal((await self._get(f"/wallets/{visitor}"))["balance"])
        except aiohttp.ClientError:
            pass
        return Decimal("0.00")  #! FB-X1

    async def vouchers(self, visitor: int) -> list:
        try:
            return (await self._get(f"/wallets/{visitor}/vouchers"))["items"]
        except aiohttp.ClientError:
            return []  # looks like FB-X1

    async def charge(self, order: int, key: str) -> Charge:
        outcome = Charge.PENDING
        try:
            async with asyncio.timeout(TILL.total):
                async with self.session.post(f"/orders/{order}/charge", headers={"Idempotency-Key": key}) as answer:
                    outcome = Charge((await answer.json())["result"])
        except aiohttp.ClientError:
            outcome = Charge.PENDING  # looks like FB-X2
        return outcome

    async def notify_paid(self, order: int) -> bool:
        try:
            async with asyncio.timeout(TILL.total):
                async with self.session.post(f"/orders/{order}/paid"):
                    return True  # looks like FB-X2
        except aiohttp.ClientError:
            return True  #! FB-X2

    async def notify_open(self, order: int) -> bool:
        try:
            async with asyncio.timeout(TILL.total):
                async with self.session.post(f"/orders/{order}/open"):
                    return True
        except aiohttp.ClientError:
            return False  # looks like FB-X2


def export_day(day: str) -> bytes:
    with requests.Session() as http:
        return http.get(f"{TILL.url}/exports/{day}", timeout=None).content  #! TO-X1


def export_week(week: str) -> bytes:
    with requests.Session() as http:
        return http.get(f"{TILL.url}/weeks/{week}", timeout=(TILL.total, TILL.total)).content  # looks like TO-X1


class TillHealth:
    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session

    async def check(self) -> bool:
        async with asyncio.timeout(TILL.total):
            async with self.session.put("/registers/probe", json={"at": time.time()}) as answer:  #! HC-X2
                return answer.status == 200

    async def ping(self) -> bool:
        async with asyncio.timeout(TILL.total):
            async with self.session.options("/registers") as answer:  # looks like HC-X2
                return answer.status == 204
