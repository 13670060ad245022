"""Runs a suspect alone: a row that may kill its process must not be running beside rows that would be blamed for it."""

from collections.abc import Callable


class Isolation:
    """Counts what runs in this process, over all pollers; whoever needs to be alone waits for the others to end."""

    def __init__(self) -> None:
        self._running = 0
        self._alone = False
        self._wanted: set[object] = set()
        self._waiters: dict[object, Callable[[], None]] = {}

    def enter(self) -> bool:
        """Begin to run beside others; False while somebody is, or wants to be, alone."""
        if self._alone or self._wanted:
            return False
        self._running += 1
        return True

    def enter_alone(self, who: object) -> bool:
        """Begin to run alone; False while others run, who then let nobody new in."""
        if self._alone or self._running:
            self._wanted.add(who)
            return False
        self._wanted.discard(who)
        self._alone = True
        self._running = 1
        return True

    def leave(self) -> None:
        """End, alone or not."""
        self._running -= 1
        if self._running == 0 and (self._alone or self._wanted):
            self._alone = False
            self._tell()

    def withdraw(self, who: object) -> None:
        """No longer want to be alone."""
        if who in self._wanted:
            self._wanted.discard(who)
            self._tell()

    def watch(self, who: object, callback: Callable[[], None]) -> None:
        """Call `callback` whenever waiting may be over, until `unwatch`."""
        self._waiters[who] = callback

    def unwatch(self, who: object) -> None:
        """Forget `who`."""
        self._waiters.pop(who, None)
        self.withdraw(who)

    def _tell(self) -> None:
        for callback in list(self._waiters.values()):
            callback()


PROCESS = Isolation()
"""A crash takes the whole process, so one count serves all its pollers."""
