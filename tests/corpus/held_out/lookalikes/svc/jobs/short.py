import asyncio
from datetime import timedelta
class Job:
    async def reassigned(self):
        delay = 30
        delay = 1
        await asyncio.sleep(delay)
    async def capped(self, asked):
        await asyncio.sleep(min(asked, 60, 5))
    async def small_delta(self):
        await asyncio.sleep(timedelta(milliseconds=500).total_seconds())
    async def dictionary(self):
        await asyncio.sleep({"a": 1, "b": 50}["a"])
    async def other_class(self):
        await asyncio.sleep(self.limit)
class Other:
    limit = 100
