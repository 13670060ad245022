import asyncio
import urllib.request
import aiohttp
import requests
import urllib3
from aiohttp import ClientSession
from contextlib import asynccontextmanager
import httpx
pool = urllib3.PoolManager()
class CrmAdapter:
    def __init__(self, session: aiohttp.ClientSession, client: httpx.AsyncClient):
        self._session = session
        self._client = client
    async def a(self):
        async with self._session.get("/x") as response:  #! ASYNC-3
            return await response.json()
    async def b(self):
        async with ClientSession() as session, session.post("/x") as response:  #! ASYNC-3
            return response.status
    def c(self):
        return requests.get("https://crm/x")  #! TO-X1
    def d(self):
        return requests.Session().post("https://crm/x", json={})  #! TO-X1
    def e(self):
        return urllib.request.urlopen("https://crm/x").read()  #! TO-X1
    def f(self):
        return pool.request("GET", "https://crm/x")  #! TO-X1
    async def g(self):
        reader, writer = await asyncio.open_connection("crm", 443)  #! ASYNC-3
        return reader, writer
    async def h(self):
        return await asyncio.wait_for(self._client.get("/x"), timeout=None)  #! ASYNC-3
    async def i(self):
        method = self._client.get if self.reads else self._client.post
        return await method("/x")  #! ASYNC-3
    async def j(self):
        limit = asyncio.timeout(None)
        async with limit:
            return await self._client.get("/x")  #! ASYNC-3
    async def k(self):
        task = asyncio.create_task(self._client.get("/x"))  #! ASYNC-3
        return await asyncio.shield(task)
    async def l(self, client):
        request = client.build_request("GET", "/x")
        return await client.send(request, stream=True)  #! ASYNC-3
    def m(self):
        return requests.request("GET", "https://crm/x", timeout=None)  #! TO-X1
