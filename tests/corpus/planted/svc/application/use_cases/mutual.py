import anyio
class Settle:
    async def handle(self, order_id):
        await self._ask(order_id)
    async def _ask(self, order_id):
        if await self.port.done(order_id):
            return
        await self._later(order_id)
    async def _later(self, order_id):
        await anyio.sleep(1)  #! ASYNC-X1
        await self._ask(order_id)
