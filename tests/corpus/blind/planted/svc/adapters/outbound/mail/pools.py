import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
executor = ThreadPoolExecutor()
def run(coro):
    return asyncio.new_event_loop().run_until_complete(coro)
class MailAdapter:
    async def a(self):
        return await asyncio.get_running_loop().run_in_executor(executor, partial(asyncio.run, self._call()))  #! BH-X1
    async def b(self):
        return await asyncio.to_thread(run, self._call())  #! BH-X1
    def c(self):
        return executor.submit(run, self._call())  #! BH-X1
