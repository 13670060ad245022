import asyncio
lock = asyncio.Semaphore(1)
async def forever(event):
    async with asyncio.timeout(None):
        await event.wait()
