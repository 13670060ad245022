"""The state of one simulated system: its operations, and what was counted."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from .behaviour import Behaviour

REASON = "refused by the simulator"


@dataclass(slots=True)
class Operation:
    """Something that the system carried out, or will not."""

    operation_id: str
    key: str
    polls: int = 0
    status: str = "pending"

    def document(self) -> dict[str, str | None]:
        """Return what a poll answers."""
        reason = REASON if self.status == "rejected" else None
        return {"id": self.operation_id, "status": self.status, "reason": reason}


@dataclass(slots=True)
class Counters:
    """What reached the system since the last DELETE."""

    calls: int = 0
    polls: int = 0
    probes: int = 0
    repeated_keys: int = 0
    effects: Counter[str] = field(default_factory=Counter)
    """Reference -> how often it was carried out."""


def unnoticed(_key: str, _operation: Operation | None) -> None:
    """Take note of nothing: what is simulated is gone with its process."""


@dataclass(slots=True)
class SimulatedSystem:
    """One external system. Operations and keys outlive a DELETE, as a provider's would."""

    name: str
    behaviour: Behaviour = field(default_factory=Behaviour)
    counters: Counters = field(default_factory=Counters)
    in_flight: int = 0
    operations: dict[str, Operation] = field(default_factory=dict)
    keys_seen: set[str] = field(default_factory=set)
    operation_of_key: dict[str, Operation] = field(default_factory=dict)
    changed: Callable[[str, Operation | None], None] = unnoticed
    """Told of each new key (with no operation yet) and of each change of an operation."""

    def reset(self) -> None:
        """Set behaviour and counters back."""
        self.behaviour = Behaviour()
        self.counters = Counters()

    def see(self, key: str) -> None:
        """Count a submission's key, whatever becomes of the submission."""
        if key in self.keys_seen:
            self.counters.repeated_keys += 1
            return
        self.keys_seen.add(key)
        self.changed(key, None)

    def recall(self, key: str, operation: Operation | None) -> None:
        """Know a key, and the operation that it has led to, from an earlier life."""
        self.keys_seen.add(key)
        if operation is not None:
            self.operations[operation.operation_id] = self.operation_of_key[key] = operation

    def carry_out(self, key: str, reference: str) -> Operation:
        """Return the operation of this key; only the first submission of a key has an effect."""
        if operation := self.operation_of_key.get(key):
            return operation
        operation = Operation(uuid4().hex, key)
        self.operations[operation.operation_id] = self.operation_of_key[key] = operation
        self.counters.effects[reference] += 1
        self.changed(key, operation)
        return operation

    def decide(self, operation: Operation) -> None:
        """Move an operation on by one answered poll; what is decided stays so."""
        if operation.status != "pending":
            return
        if operation.polls < self.behaviour.pending_polls:
            operation.polls += 1
        else:
            operation.status = self.behaviour.outcome
        self.changed(operation.key, operation)

    def proof(self) -> dict[str, Any]:
        """Return the counters, and the behaviour."""
        effects = self.counters.effects.total()
        return {
            "calls": self.counters.calls,
            "polls": self.counters.polls,
            "probes": self.counters.probes,
            "effects": effects,
            "duplicate_effects": effects - len(self.counters.effects),
            "repeated_keys": self.counters.repeated_keys,
            "in_flight": self.in_flight,
            "behaviour": self.behaviour.model_dump(),
        }
