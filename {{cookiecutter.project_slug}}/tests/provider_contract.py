"""What a task may expect of its provider: one suite, run against the fake and against every real adapter."""

from typing import Protocol
from uuid import uuid4

import pytest

from {{ cookiecutter.package_name }}.polling.api import Completed, JsonObject, Rejected, StillPending
from {{ cookiecutter.package_name }}.resilience.errors import RejectedError


class Provider(Protocol):
    """The port that the tests need."""

    async def submit(self, reference: str, payload: JsonObject, *, idempotency_key: str) -> str: ...

    async def status(self, operation_id: str) -> Completed | Rejected | StillPending: ...


class ProviderContract:
    """Derive a test class and give it a fixture `provider` whose operations are pending once and then confirmed."""

    async def test_one_key_is_one_operation(self, provider: Provider) -> None:
        key = str(uuid4())

        first = await provider.submit("contract:1", {"amount": 1}, idempotency_key=key)
        again = await provider.submit("contract:1", {"amount": 1}, idempotency_key=key)

        assert first == again

    async def test_another_key_is_another_operation(self, provider: Provider) -> None:
        first = await provider.submit("contract:1", {}, idempotency_key=str(uuid4()))
        other = await provider.submit("contract:2", {}, idempotency_key=str(uuid4()))

        assert first != other

    async def test_an_operation_is_pending_until_it_is_decided(self, provider: Provider) -> None:
        operation_id = await provider.submit("contract:1", {}, idempotency_key=str(uuid4()))

        assert await provider.status(operation_id) == StillPending()
        assert await provider.status(operation_id) == Completed()

    async def test_an_unknown_operation_is_refused(self, provider: Provider) -> None:
        with pytest.raises(RejectedError):
            await provider.status("no/such operation")
