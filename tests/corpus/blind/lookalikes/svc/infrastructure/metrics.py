class Metrics:
    def __init__(self):
        self.failures = 0
        self.state = "ok"
    async def observe(self, fn):
        try:
            return await fn()
        except OSError:
            self.failures += 1
            if self.failures > 10:
                self.state = "degraded"
            raise
