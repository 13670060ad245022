import asyncio
class CrmAdapter:
    async def a(self):
        await asyncio.sleep(1)
        await asyncio.sleep(0.5)
    async def b(self):
        for pause in (0.1, 0.2, 0.4):
            await asyncio.sleep(pause)
    async def c(self, s):
        await asyncio.sleep(s.pause)
    async def d(self):
        try:
            await self.x()
        except OSError:
            await asyncio.sleep(1.5)
        except ValueError:
            await asyncio.sleep(1.5)
