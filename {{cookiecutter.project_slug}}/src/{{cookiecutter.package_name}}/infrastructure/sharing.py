"""No two systems share a client, a breaker, a bulkhead or a semaphore (R-RES-ISO-X1): compared by identity, at the start.

Source shows it in one file at most; here the objects themselves are there, however they came into an adapter.
"""

import asyncio
from collections.abc import Iterator, Mapping

from .discovery import DiscoveryError

OWN = frozenset(
    {"AsyncClient", "Client", "ClientSession", "AsyncBaseTransport", "Breaker", "CircuitBreaker", "Bulkhead", "Guard"}
)
"""Class names, of the kit and of libraries, of what belongs to one system; the infrastructure imports none of them."""

DEPTH = 8  # adapter, guard, parts, wire, line, client, transport: and one to spare


def refuse_shared(adapters: Mapping[str, object]) -> None:
    """Compare what the adapters of all systems hold.

    Raises:
        DiscoveryError: two systems hold the same object; the message names both and what it is.
    """
    owners: dict[int, str] = {}
    for system, adapter in adapters.items():
        for found in _owned(adapter):
            owner = owners.setdefault(id(found), system)
            if owner != system:
                kind = type(found).__name__
                raise DiscoveryError(
                    f"{owner} and {system} share one {kind} (R-RES-ISO-X1): a slow system would take the other with it; "
                    f"give each adapter what its own guard brings"
                )


def _owned(adapter: object) -> Iterator[object]:
    """Everything reachable from an adapter that belongs to one system."""
    seen: set[int] = set()
    todo = [(adapter, 0)]
    while todo:
        thing, depth = todo.pop()
        if id(thing) in seen or depth > DEPTH:
            continue
        seen.add(id(thing))
        names = {kind.__name__ for kind in type(thing).__mro__}
        if names & OWN or isinstance(thing, asyncio.Semaphore):
            yield thing
        todo.extend((inner, depth + 1) for inner in _parts(thing))


def _parts(thing: object) -> Iterator[object]:
    if isinstance(thing, (dict, list, tuple, set)):
        yield from thing.values() if isinstance(thing, dict) else thing
        return
    if isinstance(thing, type) or not hasattr(type(thing), "__module__") or type(thing).__module__ == "builtins":
        return
    yield from getattr(thing, "__dict__", {}).values()
    for kind in type(thing).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(thing, name):
                yield getattr(thing, name)
