import itertools
class Poll:
    async def a(self, id):
        for attempt in itertools.count():
            if attempt > self.limit:
                raise TooManyAttempts
            if await self.port.get_status(id) == "done":
                return
    async def b(self, id):
        for _ in itertools.islice(itertools.count(), self.limit):
            if await self.port.get_status(id) == "done":
                return
    async def c(self, queue):
        while True:
            item = await queue.get()
            await self.port.push(item)
    async def d(self, id, left):
        if left == 0 or await self.port.get_status(id) == "done":
            return
        await self.d(id, left - 1)
    async def e(self, stop):
        while not stop.is_set():
            await self.port.check()
            await self.port.wait()
    async def f(self, id):
        async with asyncio.timeout(self.total):
            while await self.port.get_status(id) != "done":
                await self.tick()
