import asyncio
from datetime import timedelta
TICK = timedelta(seconds=2)
async def run(queue, stop):
    while not stop.is_set():
        job = await queue.get()
        await job()
        await asyncio.sleep(TICK.total_seconds())
async def drain(queue):
    while not queue.empty():
        item = await queue.get()
        if item is None:
            break
        await asyncio.sleep(0)
async def backoff(n):
    await asyncio.sleep(min(2 ** n, 5))
