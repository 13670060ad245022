import time
from collections import deque
class Latencies:
    def __init__(self): self._errors, self._window = deque(maxlen=50), 60
    async def run(self, fn):
        try:
            return await fn()
        except OSError:
            self._errors.append(time.monotonic())
            raise
    def rate(self): return len(self._errors) / self._window
class Quota:
    def __init__(self, limit): self.left, self.closed = limit, False
    def take(self):
        if self.closed:
            raise Full
        self.left -= 1
        if self.left <= 0:
            self.closed = True
