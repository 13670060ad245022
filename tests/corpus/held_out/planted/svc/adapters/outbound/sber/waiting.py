import asyncio
class SberAdapter:
    async def twice(self):
        await asyncio.sleep(1.5)
        await self.push()
        await asyncio.sleep(1.5)  #! ASYNC-2
    async def by_values(self):
        for delay in (0.5, 1, 2):
            await asyncio.sleep(delay)  #! ASYNC-2
    async def unbounded(self):
        while not await self.ready():
            await asyncio.sleep(0.1)  #! ASYNC-2
