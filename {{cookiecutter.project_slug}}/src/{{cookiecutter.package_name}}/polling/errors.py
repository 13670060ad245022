"""What the queue may say to its callers. No library is named here, so every layer may catch these.

QueueError
+- KeyReusedError              the client's mistake: nothing was stored
+- PayloadError                the client's mistake: nothing was stored
+- BacklogFullError            nothing was stored; come back later
+- DatabaseUnavailableError    stored or not: unknown; with an idempotency key it is safe to ask again
"""


class QueueError(Exception):
    """The queue could not do what was asked."""

    code = "queue-error"

    def __init__(self, message: str | None = None, *, retry_after_s: float | None = None) -> None:
        super().__init__(message or type(self).__doc__ or self.code)
        self.retry_after_s = retry_after_s


class KeyReusedError(QueueError):
    """The idempotency key was used before, for another request."""

    code = "idempotency-key-reused"


class PayloadError(QueueError):
    """The payload cannot be stored."""

    code = "payload-not-storable"


class BacklogFullError(QueueError):
    """Too many tasks of this kind are waiting already."""

    code = "backlog-full"


class DatabaseUnavailableError(QueueError):
    """The database did not answer, or not in time."""

    code = "database-unavailable"
