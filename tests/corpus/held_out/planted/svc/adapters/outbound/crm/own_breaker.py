import time
def protect(limit):  #! CB-X2
    failures = 0
    opened = None
    def wrap(fn):
        async def call(*args):
            nonlocal failures, opened
            if opened is not None and time.monotonic() < opened + 30:
                raise CrmUnavailable
            try:
                return await fn(*args)
            except OSError:
                failures += 1
                if failures >= limit:
                    opened = time.monotonic()
                raise
        return call
    return wrap
