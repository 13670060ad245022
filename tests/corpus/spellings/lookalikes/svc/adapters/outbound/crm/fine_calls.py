import asyncio
import urllib.request
import aiohttp
import requests
import httpx
from contextlib import asynccontextmanager
def limited(fn):
    async def call(self, *args):
        async with asyncio.timeout(self.t):
            return await fn(self, *args)
    return call
class CrmAdapter:
    def __init__(self, client: httpx.AsyncClient, s):
        self._client = client
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=s.total))
        self.s = s
    @asynccontextmanager
    async def _bounded(self):
        async with asyncio.timeout(self.s.total):
            yield
    async def a(self):
        async with self._bounded():
            return await self._client.get("/x")
    @limited
    async def b(self):
        return await self._client.get("/x")
    async def c(self):
        cm = asyncio.timeout(self.s.total)
        async with cm:
            return await self._client.get("/x")
    async def d(self):
        async with self._session.get("/x") as response:
            return await response.json()
    def e(self):
        return requests.get("https://crm/x", timeout=self.s.total)
    def f(self):
        return urllib.request.urlopen("https://crm/x", timeout=self.s.total)
    async def g(self):
        async with asyncio.timeout(self.s.total):
            return await asyncio.open_connection("crm", 443)
