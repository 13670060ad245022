import asyncio
import anyio
from starlette.concurrency import run_in_threadpool
class CrmAdapter:
    async def a(self):
        return await run_in_threadpool(asyncio.run, self._call())  #! BH-X1
    async def b(self):
        def work():
            loop = asyncio.new_event_loop()
            return loop.run_until_complete(self._call())
        return await anyio.to_thread.run_sync(work)  #! BH-X1
