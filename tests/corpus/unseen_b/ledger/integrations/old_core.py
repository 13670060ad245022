"""The mainframe has a web front end, and some of our tools talk to it without asyncio."""
import smtplib
from typing import Any

import aiohttp
import httpx
import requests

from ledger.core.constants import NO_DEADLINE
from ledger.core.settings import S

NEVER = None


def entry(number: str) -> dict[str, Any]:
    return httpx.get(f"{S.bank_url}/entries/{number}", timeout=None).json()  #! TO-X1


def close_day(day: str) -> None:
    requests.request("POST", f"{S.bank_url}/days/{day}/close").raise_for_status()  #! TO-X1


def patient() -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=S.bank_url, limits=S.bank.limits, timeout=NEVER)  #! ISO-X2


def very_patient() -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=S.bank_url, limits=S.bank.limits, timeout=NO_DEADLINE)  #! ISO-X2


def relaxed() -> httpx.Client:
    client = httpx.Client(base_url=S.bank_url, limits=S.bank.limits, timeout=S.bank.timeout)
    client.timeout = None  #! TO-X1
    return client


def booked(number: str) -> bool:
    return httpx.head(f"{S.bank_url}/entries/{number}", timeout=S.bank.timeout).is_success


def totals(day: str) -> dict[str, Any]:
    reply = requests.request("GET", f"{S.bank_url}/days/{day}", timeout=(S.bank.connect, S.bank.read))
    return reply.json()


def aio_session() -> aiohttp.ClientSession:
    limits = aiohttp.TCPConnector(limit=S.bank.pool)
    return aiohttp.ClientSession(base_url=S.bank_url, connector=limits, timeout=aiohttp.ClientTimeout(total=S.bank.total))


def report(host: str, to: str, body: str) -> None:
    with smtplib.SMTP(host, timeout=S.bank.read) as smtp:
        smtp.sendmail("ledger@example.org", to, body)


def cached(store: dict[str, Any], key: str) -> Any:
    """`get` of a dict and of an object that has nothing to do with HTTP."""
    return store.get(key, None)


class Cache:
    def __init__(self) -> None:
        self._rows: dict[str, Any] = {}

    async def get(self, key: str) -> Any:
        return self._rows.get(key)

    async def post(self, key: str, value: Any) -> None:
        self._rows[key] = value


async def through_cache(cache: Cache, key: str) -> Any:
    if (value := await cache.get(key)) is None:
        value = entry(key)
        await cache.post(key, value)
    return value
