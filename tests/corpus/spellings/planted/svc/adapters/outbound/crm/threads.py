import asyncio
import concurrent.futures
from multiprocessing.pool import ThreadPool
from asgiref.sync import sync_to_async
class CrmAdapter:
    def __init__(self):
        self._threads = concurrent.futures.ThreadPoolExecutor()
    async def _call(self): ...
    def _work(self):
        with asyncio.Runner() as runner:
            return runner.run(self._call())
    async def a(self):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._work)  #! BH-X1
    def b(self):
        with concurrent.futures.ThreadPoolExecutor() as e:
            return list(e.map(lambda x: asyncio.run(self._call()), range(3)))  #! BH-X1
    def c(self):
        return ThreadPool(5).apply_async(asyncio.run, (self._call(),))  #! BH-X1
    async def d(self):
        return await sync_to_async(self._work)()  #! BH-X1
    def e(self):
        return self._threads.submit(self._work)  #! BH-X1
    async def f(self):
        return await asyncio.get_running_loop().run_in_executor(None, lambda: asyncio.run(self._call()))  #! BH-X1
