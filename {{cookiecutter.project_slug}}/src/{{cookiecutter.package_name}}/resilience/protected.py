"""Decorators that say on an adapter's method what protects it. The body gets a `Call`, the only thing that can send.

    @read           repeated on passing trouble: nothing changes at the other side
    @keyed_write    repeated, too: the same Idempotency-Key makes a repetition harmless (R-RES-RE-1)
    @write          one attempt, always (R-RES-RE-X1)
    @probe          for `ping`: small timeout, beside breaker and bulkhead (R-RES-HC-3)

Callers see the method without `call`. The adapter holds its guard as `self.guard`; mapping the answer happens inside,
so that an answer nobody can read counts against the system (R-RES-CB-1).
"""

import inspect
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from .call import Call
from .guard import Guard
from .operation import Kind, Operation


class Guarded(Protocol):
    """An adapter."""

    @property
    def guard(self) -> Guard:
        """What protects its calls."""


A = TypeVar("A", bound=Guarded)
P = ParamSpec("P")
R = TypeVar("R")
Method = Callable[Concatenate[A, Call, P], Awaitable[R]]
Protected = Callable[Concatenate[A, P], Coroutine[Any, Any, R]]

KEY = "idempotency_key"
OPERATION = "__operation__"
MAX_KEY_LENGTH = 255


def read(method: Method[A, P, R]) -> Protected[A, P, R]:
    """Protect a method that changes nothing at the other side; it is repeated within budget and deadline."""
    return _unkeyed(method, Operation(method.__name__, Kind.READ))


def write(method: Method[A, P, R]) -> Protected[A, P, R]:
    """Protect a method that changes something and carries no key: one attempt, whatever happens (R-RES-RE-X1)."""
    return _unkeyed(method, Operation(method.__name__, Kind.WRITE))


def keyed_write(method: Method[A, P, R]) -> Protected[A, P, R]:
    """Protect a method with a keyword-only `idempotency_key`; every attempt sends it as the key's header.

    Raises:
        TypeError: when the class is defined, if the method has no such argument (R-RES-RE-1).
    """
    parameter = inspect.signature(method).parameters.get(KEY)
    if parameter is None or parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
        raise TypeError(f"{method.__qualname__}: @keyed_write needs a keyword-only argument {KEY!r} (R-RES-RE-1)")
    operation = Operation(method.__name__, Kind.KEYED_WRITE)

    @wraps(method)
    async def protected(self: A, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = _checked_key(kwargs.get(KEY))
        return await self.guard.execute(operation, lambda call: method(self, call, *args, **kwargs), key)

    return _marked(protected, operation)


def probe(method: Method[A, P, R]) -> Protected[A, P, R]:
    """Protect `ping`: the answer's body does not matter, only that there is one."""
    operation = Operation(method.__name__, Kind.PROBE)

    @wraps(method)
    async def protected(self: A, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self.guard.probe(operation, lambda call: method(self, call, *args, **kwargs))

    return _marked(protected, operation)


def operations(adapter: type[Any]) -> list[Operation]:
    """Return what a class of adapters can do: its protected methods."""
    found = (getattr(getattr(adapter, name), OPERATION, None) for name in dir(adapter))
    return [operation for operation in found if isinstance(operation, Operation)]


def _unkeyed(method: Method[A, P, R], operation: Operation) -> Protected[A, P, R]:
    @wraps(method)
    async def protected(self: A, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self.guard.execute(operation, lambda call: method(self, call, *args, **kwargs))

    return _marked(protected, operation)


def _marked(protected: Protected[A, P, R], operation: Operation) -> Protected[A, P, R]:
    setattr(protected, OPERATION, operation)
    return protected


def _checked_key(key: object) -> str:
    text = str(key) if key is not None else ""
    if not 0 < len(text) <= MAX_KEY_LENGTH or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError(f"an idempotency key has 1-{MAX_KEY_LENGTH} visible ASCII characters")
    return text
