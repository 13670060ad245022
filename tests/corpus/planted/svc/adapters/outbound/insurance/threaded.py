import asyncio
from asyncio import get_running_loop
from concurrent.futures import ProcessPoolExecutor
class InsuranceAdapter:
    async def a(self):
        loop = get_running_loop()
        return await loop.run_in_executor(None, asyncio.run, self._call())  #! BH-X1
    async def b(self):
        def work():
            return asyncio.run(self._call())
        return await asyncio.to_thread(work)  #! BH-X1
    async def c(self):
        pool = ProcessPoolExecutor()
        return pool.submit(lambda: asyncio.run(self._call()))  #! BH-X1
    async def d(self):
        loop = asyncio.get_event_loop()
        return await loop.run_in_executor(self.pool, self._call)  #! BH-X1
    async def _call(self): ...
