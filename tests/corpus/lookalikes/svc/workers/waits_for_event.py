import asyncio
async def tick(stop, s):
    while not stop.is_set():
        async with asyncio.timeout(s.interval):
            await stop.wait()
