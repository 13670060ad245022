"""Where the process stands between start and exit."""

from prometheus_client import Gauge

DRAINING = Gauge("app_draining", "1 from the first signal to the exit.")


class Lifecycle:
    """Started and not draining is what readiness asks for."""

    def __init__(self) -> None:
        self.started = False
        self.draining = False
        DRAINING.set(0)

    def drain(self) -> None:
        """Say that the process is on its way out."""
        self.draining = True
        DRAINING.set(1)

    @property
    def accepting(self) -> bool:
        """Whether new work may be sent here."""
        return self.started and not self.draining
