"""Generated from nordpost.openapi.json."""
from typing import Any

from tenacity import retry_if_exception_type  #! OAS-X1

TRANSIENT: Any = None


def is_transient(error: type[BaseException]) -> Any:
    return TRANSIENT or retry_if_exception_type(error)
