"""The errors of one call to an external system.

    PortError                      names the system; carries code, sent, retry_after_s
    +- ExecutionRejectedError      refused on our side, nothing was sent
    |  +- CircuitOpenError         the breaker is open, or its trials are taken
    |  +- BulkheadFullError        as many calls in flight as are allowed
    |  +- DeadlineExceededError    no time left to make the call
    +- ExternalSystemError         the call went out, or tried to
       +- UnreachableError         no connection                               counts against the system
       +- TimedOutError            no answer in time                           counts
       +- OutcomeUnknownError      the connection broke after the request      counts
       +- BadResponseError         an answer that the contract does not allow  counts
       +- SystemFailedError        5xx                                         counts
       +- ThrottledError           429
       +- UnauthorizedError        401, 403
       +- RejectedError            every other 4xx

Two questions decide every handling: was it sent (`sent`), and when may it be tried again (`retry_after_s`)?
This module imports no library, so that every layer may know it.
"""

from enum import StrEnum
from typing import ClassVar


class Sent(StrEnum):
    """What is known about the request at the other side."""

    NOT_SENT = "not_sent"
    UNKNOWN = "unknown"
    REFUSED = "refused"


class PortError(Exception):
    """The call to the external system did not succeed."""

    code: ClassVar[str] = "port-error"
    default_sent: ClassVar[Sent] = Sent.UNKNOWN

    def __init__(
        self, system: str, detail: str = "", *, sent: Sent | None = None, retry_after_s: float | None = None
    ) -> None:
        text = detail or type(self).__doc__ or self.code
        super().__init__(f"{system}: {text}")
        self.system = system
        self.detail = text
        self.sent = sent or self.default_sent
        self.retry_after_s = None if retry_after_s is None else float(retry_after_s)


class ExecutionRejectedError(PortError):
    """The call was refused on our side; nothing was sent."""

    code: ClassVar[str] = "execution-rejected"
    default_sent: ClassVar[Sent] = Sent.NOT_SENT


class CircuitOpenError(ExecutionRejectedError):
    """The system is unavailable and is left alone for a while; nothing was sent."""

    code: ClassVar[str] = "circuit-open"


class BulkheadFullError(ExecutionRejectedError):
    """Too many calls to this system are already in flight; nothing was sent."""

    code: ClassVar[str] = "bulkhead-full"


class DeadlineExceededError(ExecutionRejectedError):
    """No time was left to make the call; nothing was sent."""

    code: ClassVar[str] = "deadline-exceeded"


class ExternalSystemError(PortError):
    """The external system did not do what was asked."""

    code: ClassVar[str] = "external-system-error"


class UnreachableError(ExternalSystemError):
    """No connection to the system could be made; nothing was sent."""

    code: ClassVar[str] = "unreachable"
    default_sent: ClassVar[Sent] = Sent.NOT_SENT


class TimedOutError(ExternalSystemError):
    """The system did not answer in time; it may have carried out the request."""

    code: ClassVar[str] = "timed-out"


class OutcomeUnknownError(ExternalSystemError):
    """The connection broke after the request was sent; the system may have carried it out."""

    code: ClassVar[str] = "outcome-unknown"


class BadResponseError(ExternalSystemError):
    """The system's answer is not one that its contract allows."""

    code: ClassVar[str] = "bad-response"


class SystemFailedError(ExternalSystemError):
    """The system answered with a failure of its own (5xx)."""

    code: ClassVar[str] = "system-failed"

    def __init__(self, system: str, status: int, *, retry_after_s: float | None = None) -> None:
        super().__init__(system, f"the system failed with status {status}", retry_after_s=retry_after_s)
        self.status = status


class ThrottledError(ExternalSystemError):
    """The system asks for fewer calls (429)."""

    code: ClassVar[str] = "throttled"
    default_sent: ClassVar[Sent] = Sent.REFUSED


class UnauthorizedError(ExternalSystemError):
    """The system does not accept our credentials (401, 403)."""

    code: ClassVar[str] = "unauthorized"
    default_sent: ClassVar[Sent] = Sent.REFUSED


class RejectedError(ExternalSystemError):
    """The system refused the request (4xx)."""

    code: ClassVar[str] = "rejected"
    default_sent: ClassVar[Sent] = Sent.REFUSED

    def __init__(self, system: str, status: int, reason: str = "") -> None:
        super().__init__(system, f"the system refused with status {status}" + (f": {reason}" if reason else ""))
        self.status = status
        self.reason = reason


FAILURES = (UnreachableError, TimedOutError, OutcomeUnknownError, BadResponseError, SystemFailedError)
"""What counts against the system. A 4xx, a refusal and a defect of ours say nothing about its health."""

TRANSIENT = (UnreachableError, TimedOutError, OutcomeUnknownError, SystemFailedError)
"""R-RES-RE-2: connect errors, timeouts, broken connections and 5xx; never a 4xx (R-RES-RE-X2), never a refusal."""
