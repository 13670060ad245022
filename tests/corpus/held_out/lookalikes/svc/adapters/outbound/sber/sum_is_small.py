import asyncio
class SberAdapter:
    async def either(self, fast):
        if fast:
            await asyncio.sleep(1.2)
        else:
            await asyncio.sleep(1.5)
    async def few(self):
        for _ in range(3):
            await asyncio.sleep(0.3)
