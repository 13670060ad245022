import asyncio
PERIOD = 5
async def beat(stop):
    while not stop.is_set():
        await asyncio.sleep(PERIOD)
