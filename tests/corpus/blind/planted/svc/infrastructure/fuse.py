import time
class Fuse:  #! CB-X2
    def __init__(self, limit, cooldown):
        self.limit, self.cooldown = limit, cooldown
        self.strikes = 0
        self.blocked_until = 0
    async def __aenter__(self):
        if time.monotonic() < self.blocked_until:
            raise Unavailable
    async def __aexit__(self, kind, error, tb):
        if kind is not None:
            self.strikes += 1
            if self.strikes >= self.limit:
                self.blocked_until = time.monotonic() + self.cooldown
        else:
            self.strikes = 0
state = {"failures": 0, "open": False}
async def guarded(fn):  #! CB-X2
    if state["open"]:
        raise Unavailable
    try:
        return await fn()
    except OSError:
        state["failures"] += 1
        if state["failures"] > 3:
            state["open"] = True
        raise
