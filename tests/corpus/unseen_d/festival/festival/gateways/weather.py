from __future__ import annotations

import asyncio

import httpx

from festival.settings import SEATS


class WeatherAdapter:
    def __init__(self, client: httpx.AsyncClient, gate=None, breaker=None) -> None:
        self._client, self._gate, self._breaker = client, gate, breaker

    async def today(self) -> str:
        async with asyncio.timeout(SEATS.total):
            return (await self._client.get("/today")).text  # looks like ASYNC-3

    async def radar(self) -> bytes:
        async with asyncio.timeout(8):  #! CFG-X1
            return (await self._client.get("/radar")).content
