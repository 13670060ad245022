import time
class TokenBucket:
    def __init__(self, rate):
        self.tokens = rate
        self.at = time.monotonic()
    def take(self):
        now = time.monotonic()
        self.tokens += (now - self.at) * self.rate
        self.at = now
        return self.tokens >= 1
