"""Tariff tables: an old SOAP bridge, reached through blocking libraries."""
import asyncio
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import requests
from requests.adapters import HTTPAdapter

from parcels.adapters.outbound.tariff.settings import TariffSettings


class TariffAdapter:
    def __init__(self, settings: TariffSettings, client) -> None:
        self._settings = settings
        self._client = client
        self._pool = ThreadPoolExecutor(max_workers=settings.threads)
        self._session = requests.Session()
        self._session.mount("https://", HTTPAdapter(max_retries=settings.attempts))  #! RE-X4
        self._session.mount("http://", HTTPAdapter(pool_maxsize=settings.pool))  # looks like RE-X4

    def zones(self) -> list[str]:
        return requests.get(f"{self._settings.base_url}/zones").json()  #! TO-X1

    def zone_names(self) -> list[str]:
        return requests.get(f"{self._settings.base_url}/zones", timeout=self._settings.total).json()  # looks like TO-X1

    def legacy_table(self) -> bytes:
        with urllib.request.urlopen(self._settings.table_url) as stream:  #! TO-X1
            return stream.read()

    def fresh_table(self) -> bytes:
        with urllib.request.urlopen(self._settings.table_url, timeout=self._settings.total) as stream:  # looks like TO-X1
            return stream.read()

    async def _rate(self, zone: str) -> dict:
        async with asyncio.timeout(self._settings.total):
            return (await self._client.get(f"/rates/{zone}")).json()

    async def rate(self, zone: str) -> dict:
        loop = asyncio.get_running_loop()

        def runner():
            return asyncio.run(self._rate(zone))

        return await loop.run_in_executor(self._pool, runner)  #! BH-X1

    async def render(self, table) -> bytes:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, table.render_pdf)  # looks like BH-X1
