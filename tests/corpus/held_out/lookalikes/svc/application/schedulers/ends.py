class Watch:
    async def a(self, id):
        for attempt in range(self.limit):
            if (await self.port.status(id)).final:
                return
    async def b(self, id, deadline):
        while self.clock.now() < deadline:
            if await self.port.status(id) == "done":
                return
    async def c(self, pages):
        page = await self.port.first()
        while page.next:
            page = await self.port.get(page.next)
    async def d(self, id):
        tries = 0
        while True:
            tries += 1
            if await self.port.status(id) == "done" or tries > self.limit:
                return
