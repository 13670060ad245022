import asyncio
async def run(stop, connect):
    while not stop.is_set():
        try:
            await connect()
        except OSError:
            await asyncio.sleep(1)
