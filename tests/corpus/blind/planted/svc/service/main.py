import asyncio
from fastapi import FastAPI
app = FastAPI()
class Poller:
    async def until(self, id):
        while not await self.ready(id):
            await asyncio.sleep(0.3)  #! ASYNC-X1
poller = Poller()
@app.get("/x/{id}")
async def x(id: int):
    return await poller.until(id)
