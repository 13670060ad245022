import asyncio
from dataclasses import dataclass
from typing import Annotated
import httpx
from httpx import AsyncClient, AsyncClient as Client
@dataclass
class CrmAdapter:
    http: httpx.AsyncClient
    other: "Client | None" = None
    async def by_dataclass_field(self):
        return await self.http.delete("/x")  #! ASYNC-3
    async def by_string_annotation(self):
        return await self.other.get("/x")  #! ASYNC-3
    async def in_gather(self):
        return await asyncio.gather(
            self.http.get("/a"),  #! ASYNC-3
            self.http.get("/b"),  #! ASYNC-3
        )
    async def after_the_deadline(self):
        async with asyncio.timeout(self.t):
            await self.prepare()
        return await self.http.get("/x")  #! ASYNC-3
    async def without_a_number(self):
        async with asyncio.timeout(None):
            return await self.http.get("/x")  #! ASYNC-3
async def by_parameter(client: Annotated[AsyncClient, "crm"]):
    return await client.options("/x")  #! ASYNC-3
async def by_shortcut():
    async with httpx.AsyncClient(timeout=t, limits=l) as session:
        response = await session.get("/x")  #! ASYNC-3
    return response
