"""What an adapter's method looks like from both sides."""

import asyncio
import inspect
from collections.abc import Callable

import pytest

from {{ cookiecutter.package_name }}.resilience.call import Call
from {{ cookiecutter.package_name }}.resilience.errors import SystemFailedError
from {{ cookiecutter.package_name }}.resilience.guard import Guard
from {{ cookiecutter.package_name }}.resilience.operation import Kind
from {{ cookiecutter.package_name }}.resilience.protected import keyed_write, operations, read
from {{ cookiecutter.package_name }}.resilience.system import System

from .bank import GOOD, Bank, BankSettings, open_bank, swallow
from .simulated import simulated


def test_the_operations_of_an_adapter_are_its_protected_methods() -> None:
    found = {operation.name: operation.kind for operation in operations(Bank)}

    assert found == {
        "balance": Kind.READ,
        "pay": Kind.KEYED_WRITE,
        "notify": Kind.WRITE,
        "ping": Kind.PROBE,
    }


def test_names_and_docstrings_stay() -> None:
    assert Bank.balance.__name__ == "balance"
    assert inspect.getdoc(Bank.balance) == "Ask for a balance."


@pytest.mark.parametrize("argument", ["positional", "none"])
def test_res_re_1_a_keyed_write_needs_its_key_as_a_keyword(argument: str) -> None:
    async def positional(self: Bank, call: Call, idempotency_key: str) -> None: ...
    async def none(self: Bank, call: Call) -> None: ...

    methods: dict[str, Callable[..., object]] = {
        "positional": lambda: keyed_write(positional),
        "none": lambda: keyed_write(none),
    }
    with pytest.raises(TypeError, match="R-RES-RE-1"):
        methods[argument]()


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "a\nb", "x" * 256])
def test_a_key_is_visible_ascii(key: str) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank() as opened:
            with pytest.raises(ValueError, match="visible ASCII"):
                await opened.bank.pay(1, idempotency_key=key)
            assert opened.script.requests == []

    scenario()


@simulated
async def test_a_call_ends_with_its_attempt() -> None:
    stolen: list[Call] = []

    class Thief(Bank):
        @read
        async def steal(self, call: Call) -> None:
            stolen.append(call)

    async with open_bank() as opened:
        await Thief(opened.guard).steal()

        with pytest.raises(RuntimeError, match="this call is over"):
            await stolen[0].get("/accounts/1")
        assert opened.script.requests == []


@pytest.mark.parametrize("path", ["", "accounts", "//evil.test/x", "http://evil.test/x"])
def test_a_path_never_names_a_host(path: str) -> None:
    class Wanderer(Bank):
        @read
        async def wander(self, call: Call) -> None:
            await call.get(path)

    @simulated
    async def scenario() -> None:
        async with open_bank() as opened:
            with pytest.raises(ValueError, match="a path begins with one slash"):
                await Wanderer(opened.guard).wander()
            assert opened.script.requests == []

    scenario()


@simulated
async def test_a_body_may_ask_two_things_at_once() -> None:
    class Curious(Bank):
        @read
        async def both(self, call: Call) -> tuple[object, object]:
            async with asyncio.TaskGroup() as group:
                one = group.create_task(call.get("/accounts/1"))
                other = group.create_task(call.get("/accounts/2"))
            return one.result()["balance"], other.result()["balance"]

    async with open_bank(GOOD, GOOD, 503) as opened:
        curious = Curious(opened.guard.single_attempt())
        assert await curious.both() == (7, 7)

        error = await swallow(curious.both())

        assert isinstance(error, SystemFailedError)
        assert opened.metric("outbound_attempt_duration_seconds_count", outcome="server_error") == 1


@simulated
async def test_every_verb_reaches_the_system_below_its_base_url() -> None:
    class Speaker(Bank):
        @read
        async def speak(self, call: Call) -> list[object]:
            await call.get("/a", params={"q": "1 2"})
            await call.put("/b", {"x": 1})
            await call.patch("/c", {"x": 1})
            await call.delete("/d")
            await call.options("/e")
            return []

    async with open_bank() as opened:
        await Speaker(opened.guard).speak()

        sent = [(request.method, str(request.url)) for request in opened.script.requests]
        assert sent == [
            ("GET", "http://bank.test/api/a?q=1+2"),
            ("PUT", "http://bank.test/api/b"),
            ("PATCH", "http://bank.test/api/c"),
            ("DELETE", "http://bank.test/api/d"),
            ("OPTIONS", "http://bank.test/api/e"),
        ]


@simulated
async def test_res_obs_1_operations_are_there_before_their_first_call() -> None:
    async with open_bank() as opened:
        System("bank", settings=BankSettings, adapter=Bank).build(opened.guard)

        for outcome in ("ok", "timeout", "rejected"):
            count = opened.metric("outbound_call_duration_seconds_count", operation="balance", outcome=outcome)
            assert count == 0


@simulated
async def test_res_obs_1_a_call_and_its_attempts_are_counted_apart() -> None:
    async with open_bank(503, GOOD) as opened:
        await opened.bank.balance()

        assert opened.metric("outbound_call_duration_seconds_count", operation="balance", outcome="ok") == 1
        assert opened.metric("outbound_attempt_duration_seconds_count", outcome="ok") == 1
        assert opened.metric("outbound_attempt_duration_seconds_count", outcome="server_error") == 1


@simulated
async def test_res_iso_x1_two_systems_share_nothing() -> None:
    async with open_bank() as sick, open_bank() as healthy:
        await sick.fail(10)

        assert (sick.guard.state, healthy.guard.state) == ("open", "closed")
        assert await healthy.bank.balance() == GOOD["balance"]
        assert isinstance(healthy.guard, Guard)
