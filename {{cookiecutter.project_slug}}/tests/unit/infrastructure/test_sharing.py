"""No two systems share what belongs to one of them."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from {{ cookiecutter.package_name }}.infrastructure.discovery import DiscoveryError
from {{ cookiecutter.package_name }}.infrastructure.sharing import refuse_shared
from {{ cookiecutter.package_name }}.resilience.guard import Guard, open_guard
from {{ cookiecutter.package_name }}.resilience.settings import ClientSettings


class Adapter:
    """What a team writes: a guard, and whatever else it brings along."""

    def __init__(self, guard: Guard, extra: object = None) -> None:
        self.guard = guard
        self._extra = extra


async def guard(stack: AsyncExitStack, name: str) -> Guard:
    settings = ClientSettings(base_url="http://system.invalid")
    return await stack.enter_async_context(open_guard(name, settings))


async def test_res_iso_1_systems_with_guards_of_their_own_share_nothing() -> None:
    async with AsyncExitStack() as stack:
        first, second = await guard(stack, "first"), await guard(stack, "second")
        refuse_shared({"first": Adapter(first), "second": Adapter(second)})


async def test_res_iso_x1_one_guard_for_two_systems_stops_the_start() -> None:
    async with AsyncExitStack() as stack:
        both = await guard(stack, "first")
        with pytest.raises(DiscoveryError, match=r"first and second share one \w+ \(R-RES-ISO-X1\)"):
            refuse_shared({"first": Adapter(both), "second": Adapter(both)})


async def test_res_iso_x1_a_guard_for_tasks_is_the_same_system() -> None:
    async with AsyncExitStack() as stack:
        one = await guard(stack, "first")
        with pytest.raises(DiscoveryError, match="share one"):
            refuse_shared({"first": Adapter(one), "second": Adapter(one.single_attempt())})


async def test_res_iso_x1_a_semaphore_on_the_side_is_seen() -> None:
    shared = asyncio.Semaphore(4)
    async with AsyncExitStack() as stack:
        first, second = await guard(stack, "first"), await guard(stack, "second")
        with pytest.raises(DiscoveryError, match="first and second share one Semaphore"):
            refuse_shared({"first": Adapter(first, [shared]), "second": Adapter(second, {"gate": shared})})
