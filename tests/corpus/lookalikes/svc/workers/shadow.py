import asyncio
PAUSE = 60
def outer():
    PAUSE = 1
    async def inner():
        await asyncio.sleep(PAUSE)
    return inner
