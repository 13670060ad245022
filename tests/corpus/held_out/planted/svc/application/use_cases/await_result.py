import asyncio as a
class AwaitResult:
    async def __call__(self, order_id):
        return await self._until(lambda: self.port.done(order_id))
    async def _until(self, done):
        try:
            while True:
                if await done():
                    return True
                await a.sleep(self.pause)  #! ASYNC-X1
        finally:
            self.log.info("waited")
