class Watch:
    async def a(self, id):
        result = await self.port.status(id)
        while result.pending:  #! ASYNC-1-MAX
            result = await self.port.status(id)
            await self.clock.tick()
    async def b(self, id):
        while not (await self.adapter.fetch_result(id)).final:  #! ASYNC-1-MAX
            await self.clock.tick()
