class Clock:
    async def sleep(self, seconds): ...
clock = Clock()
async def tick():
    await clock.sleep(3600)
def sleep(reason):
    return reason
def note():
    return sleep(100)
