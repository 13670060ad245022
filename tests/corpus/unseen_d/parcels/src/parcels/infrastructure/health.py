from __future__ import annotations

import asyncio

import httpx


class NordpostHealthIndicator:
    name = "nordpost"

    def __init__(self, client: httpx.AsyncClient, settings) -> None:
        self._client = client
        self._settings = settings

    async def check(self) -> bool:
        async with asyncio.timeout(self._settings.total_timeout):
            reply = await self._client.head("/health")  # looks like HC-X2
        return reply.is_success


class CustomsHealthIndicator:
    name = "customs"

    def __init__(self, adapter, client: httpx.AsyncClient, settings) -> None:
        self._adapter = adapter
        self._client = client
        self._settings = settings

    async def check(self) -> bool:
        async with asyncio.timeout(self._settings.total_timeout):
            await self._adapter.submit_declaration({"parcel": "probe"})  #! HC-X2
        return True

    async def check_directly(self) -> bool:
        payload = {"parcel": "probe"}
        async with asyncio.timeout(self._settings.total_timeout):
            reply = await self._client.post("/declarations", json=payload)  #! HC-X2
        return reply.status_code < 500

    async def check_options(self) -> bool:
        async with asyncio.timeout(self._settings.total_timeout):
            reply = await self._client.options("/declarations")  # looks like HC-X2
        return reply.status_code < 500
