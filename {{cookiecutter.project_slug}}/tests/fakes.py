"""Stand-ins that obey the ports; `provider_contract.py` holds them to what the real adapters do."""

from dataclasses import dataclass, field

from {{ cookiecutter.package_name }}.polling.api import Completed, JsonObject, Rejected, StillPending
from {{ cookiecutter.package_name }}.resilience.errors import RejectedError

NOT_FOUND = 404


@dataclass
class FakeProvider:
    """An external system in memory: one key, one effect; the first `pending_polls` questions find it undecided."""

    outcome: Completed | Rejected = field(default_factory=Completed)
    pending_polls: int = 1
    operations: dict[str, str] = field(default_factory=dict)
    """Idempotency key -> operation id."""
    polls: dict[str, int] = field(default_factory=dict)

    async def submit(self, reference: str, payload: JsonObject, *, idempotency_key: str) -> str:
        """Carry it out, unless the key was seen before."""
        operation_id = self.operations.setdefault(idempotency_key, f"op-{len(self.operations) + 1}")
        self.polls.setdefault(operation_id, 0)
        return operation_id

    async def status(self, operation_id: str) -> Completed | Rejected | StillPending:
        """Answer as told."""
        if operation_id not in self.polls:
            raise RejectedError("fake", NOT_FOUND)
        self.polls[operation_id] += 1
        return StillPending() if self.polls[operation_id] <= self.pending_polls else self.outcome
