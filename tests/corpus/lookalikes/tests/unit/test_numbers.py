import asyncio
import httpx
async def test_x(app):
    async with asyncio.timeout(5):
        for _ in range(100):
            await asyncio.sleep(0.1)
