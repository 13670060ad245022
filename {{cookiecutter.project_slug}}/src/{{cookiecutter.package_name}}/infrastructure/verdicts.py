"""From an error of a call to what becomes of the task's row: the table "what burns an attempt", in one place.

R-RES-RE-5. A refusal burns nothing, or every outage longer than all retries together would fail every task.
"""

from ..polling.api import Burn, Reject, Verdict, Wait
from ..resilience.errors import ExecutionRejectedError, PortError, RejectedError, ThrottledError

REQUEST_TIMEOUT = 408


def judge(error: Exception) -> Verdict:
    """Decide how a row goes on after its call raised `error`."""
    match error:
        case ExecutionRejectedError():
            return Wait(str(error), error.retry_after_s or 0.0)
        case ThrottledError(retry_after_s=float(wait)):
            return Wait(str(error), wait)
        case RejectedError() if error.status != REQUEST_TIMEOUT:
            return Reject(str(error))
        case PortError():
            return Burn(str(error))
    return Burn(f"{type(error).__name__}: {error}")
