"""What a rule of the domain may answer instead of a result.

    DomainError
    +- NotFoundError          there is no such thing
    +- ConflictError          it cannot be done in the present state
    +- RuleViolationError     it can never be done as asked

An error of your own belongs beside its rule and derives from one of the three; which status it gets is decided in
`adapters/inbound/http/problem_details.py`. The message of these errors is shown to the client.
"""

from typing import ClassVar


class DomainError(Exception):
    """A rule of the domain said no."""

    code: ClassVar[str] = "domain-error"

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.__doc__ or self.code)


class NotFoundError(DomainError):
    """There is no such thing."""

    code = "not-found"


class ConflictError(DomainError):
    """The thing is in a state that does not allow this."""

    code = "conflict"


class RuleViolationError(DomainError):
    """The request breaks a rule, and would break it again."""

    code = "rule-violation"
