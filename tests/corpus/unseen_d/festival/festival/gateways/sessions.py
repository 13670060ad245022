from __future__ import annotations

import aiohttp
import httpx
from aiohttp import ClientTimeout, TCPConnector

from festival.settings import BADGES, SEATS, System


def session(system: System) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        system.url,
        connector=TCPConnector(limit=system.pool),  # looks like CFG-X1
        timeout=ClientTimeout(total=system.total),  # looks like CFG-X1 TO-X1
    )


def upload_session() -> aiohttp.ClientSession:
    unlimited = ClientTimeout(total=None)  #! TO-X1
    return aiohttp.ClientSession(BADGES.url, connector=TCPConnector(limit=BADGES.pool), timeout=unlimited)


def sponsor_session(url: str) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(url, connector=TCPConnector(limit=SEATS.pool), timeout=ClientTimeout(total=15))  #! CFG-X1


class SeatHttp(httpx.AsyncClient):
    def __init__(self, system: System) -> None:
        super().__init__(base_url=system.url, timeout=system.total)  #! ISO-X2


class BadgeHttp(httpx.AsyncClient):
    def __init__(self, system: System) -> None:
        pool = httpx.Limits(max_connections=system.pool)
        super().__init__(base_url=system.url, timeout=system.total, limits=pool)  # looks like ISO-X2


def resilient_transport() -> httpx.AsyncBaseTransport:
    options = {"retries": SEATS.attempts}
    return httpx.AsyncHTTPTransport(**options)  #! RE-X4
