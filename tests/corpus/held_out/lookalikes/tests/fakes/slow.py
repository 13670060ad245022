import asyncio
async def slow():
    for _ in range(3):
        await asyncio.sleep(10)
