from __future__ import annotations

import asyncio

import httpx

from festival.settings import SEATS


class SponsorAdapter:
    def __init__(self, client: httpx.AsyncClient, gate=None, breaker=None) -> None:
        self._client, self._gate, self._breaker = client, gate, breaker

    async def logo(self) -> str:
        async with asyncio.timeout(SEATS.total):
            return (await self._client.get("/logo")).text  # looks like ASYNC-3
