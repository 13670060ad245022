import asyncio
class Config:
    interval = 60
class Worker:
    async def a(self, config):
        await asyncio.sleep(config.interval)
    async def b(self):
        await asyncio.sleep(self.config.interval)
    async def c(self):
        await asyncio.wait_for(self.event.wait(), timeout=self.interval)
