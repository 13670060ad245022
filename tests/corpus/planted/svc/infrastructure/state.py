from datetime import datetime, timedelta
from enum import Enum
class State(Enum):
    CLOSED = 1
    OPEN = 2
class Protector:  #! CB-X2
    def __init__(self):
        self._state = State.CLOSED
        self._errors = 0
    async def run(self, fn):
        if self._state is State.OPEN and datetime.now() - self._since < timedelta(seconds=30):
            raise Unavailable
        try:
            result = await fn()
        except Exception:
            self._errors = self._errors + 1
            if self._errors > 5:
                self._state = State.OPEN
                self._since = datetime.now()
            raise
        else:
            self._errors = 0
            return result
class SberCircuitBreaker:  #! CB-X2
    failure_count = 0
    def failed(self):
        self.failure_count += 1
