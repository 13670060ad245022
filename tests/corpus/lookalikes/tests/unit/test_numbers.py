import asyncio
async def test_x(app, patience):
    async with asyncio.timeout(patience.short):
        for _ in range(100):
            await asyncio.sleep(0.1)
        await asyncio.sleep(10)
