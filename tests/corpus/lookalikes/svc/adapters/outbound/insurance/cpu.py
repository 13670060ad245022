import asyncio
import hashlib
from concurrent.futures import ProcessPoolExecutor
pool = ProcessPoolExecutor()
class InsuranceAdapter:
    async def a(self, raw):
        return await asyncio.get_running_loop().run_in_executor(pool, hashlib.sha256, raw)
    async def b(self, raw):
        return await asyncio.to_thread(lambda: self._hash(raw))
    def _hash(self, raw):
        return hashlib.sha256(raw)
    async def c(self, job):
        self.queue.submit(job)
