"""Money of the customers lives in the wallet service."""
import asyncio
import logging
from decimal import Decimal as D

import httpx
import pybreaker
from aiobreaker import CircuitBreaker as Breaker, CircuitBreakerError

from shop import conf
from shop.ports import Cash, WalletDown

log = logging.getLogger(__name__)
breaker = Breaker(fail_max=conf.wallet.fail_max, timeout_duration=conf.wallet.open_for, name="wallet")
NOTHING = D(0)


async def _json(http: httpx.AsyncClient, path: str) -> dict:
    async with asyncio.timeout(conf.wallet.total):
        response = await http.get(path)
        response.raise_for_status()
        return response.json()


class WalletClient:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def balance(self, user: str) -> D:
        try:
            data = await breaker.call_async(_json, self.http, f"/wallets/{user}")
            balance = D(data["balance"])
        except CircuitBreakerError:
            balance = D("0.00")  #! FB-X1
        return balance

    async def balances(self, users: list[str]) -> dict[str, D]:
        calls = [breaker.call_async(_json, self.http, f"/wallets/{user}") for user in users]
        results = await asyncio.gather(*calls, return_exceptions=True)
        return {u: NOTHING if isinstance(r, Exception) else D(r["balance"]) for u, r in zip(users, results)}  #! FB-X1

    async def credit_limit(self, user: str) -> Cash | None:
        try:
            data = await breaker.call_async(_json, self.http, f"/wallets/{user}/limit")
        except (httpx.HTTPError, TimeoutError, CircuitBreakerError):
            return None  #! FB-X1
        return Cash(cents=data["cents"], currency=data["currency"])

    async def bonus(self, user: str) -> Cash:
        try:
            data = await breaker.call_async(_json, self.http, f"/wallets/{user}/bonus")
            return Cash(cents=data["cents"], currency=data["currency"])
        except TimeoutError:
            log.warning("no bonus for %s", user)
            return Cash(cents=0, currency="EUR")  #! FB-X1

    async def price_cents(self, sku: str) -> int:
        try:
            return (await breaker.call_async(_json, self.http, f"/prices/{sku}"))["cents"]
        except httpx.TransportError:
            return 0  #! FB-X1

    async def total(self, user: str) -> D:
        total = D(0)
        try:
            for row in (await breaker.call_async(_json, self.http, f"/wallets/{user}/rows"))["rows"]:
                total += D(row["amount"])
        except (httpx.HTTPError, CircuitBreakerError) as exc:
            raise WalletDown(user) from exc
        return total

    async def language(self, user: str) -> str:
        try:
            return (await breaker.call_async(_json, self.http, f"/wallets/{user}"))["language"]
        except CircuitBreakerError:
            return "en"

    async def badges(self, user: str) -> list[str]:
        try:
            return (await breaker.call_async(_json, self.http, f"/wallets/{user}/badges"))["badges"]
        except (httpx.HTTPError, CircuitBreakerError):
            return []


sync_breaker = pybreaker.CircuitBreaker(fail_max=conf.wallet.fail_max, reset_timeout=conf.wallet.open_for.seconds)  #! CB-X3
