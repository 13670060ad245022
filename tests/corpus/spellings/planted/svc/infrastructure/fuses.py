import time
from collections import defaultdict, deque
class Fuse:  #! CB-X2
    def __init__(self, limit, pause):
        self._errors = deque(maxlen=limit)
        self._blown_until = 0.0
        self.limit, self.pause = limit, pause
    async def run(self, fn):
        if time.monotonic() < self._blown_until:
            raise Unavailable
        try:
            return await fn()
        except OSError:
            self._errors.append(time.monotonic())
            if len(self._errors) >= self.limit:
                self._blown_until = time.monotonic() + self.pause
            raise
class Trip:  #! CB-X2
    def __init__(self):
        self.failures = defaultdict(int)
        self.opened_at = {}
    def allows(self, name):
        return time.monotonic() - self.opened_at.get(name, 0) > 30
    async def call(self, name, fn):
        if not self.allows(name):
            raise Unavailable(name)
        try:
            result = await fn()
        except Exception:
            self.failures[name] += 1
            if self.failures[name] > 5:
                self.opened_at[name] = time.monotonic()
            raise
        self.failures[name] = 0
        return result
class Guarded:  #! CB-X2
    def __init__(self, limit):
        self.misses_left = limit
        self.open = False
    async def __aenter__(self):
        if self.open:
            raise Unavailable
    async def __aexit__(self, kind, error, trace):
        if error is not None:
            self.misses_left -= 1
            if self.misses_left <= 0:
                self.open = True
