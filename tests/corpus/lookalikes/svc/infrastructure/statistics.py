import time
class Statistics:
    def __init__(self):
        self.errors = 0
        self.since = time.monotonic()
    async def measure(self, fn):
        try:
            return await fn()
        except OSError:
            self.errors += 1
            raise
