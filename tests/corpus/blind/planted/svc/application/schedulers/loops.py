import asyncio
class Loop:
    async def a(self, id):
        while True:  #! ASYNC-1-MAX
            match await self.port.get_status(id):
                case "done":
                    return
            await asyncio.sleep(1)
    async def b(self, id):
        async def again():  #! ASYNC-1-MAX
            if not await self.port.is_done(id):
                await again()
        await again()
