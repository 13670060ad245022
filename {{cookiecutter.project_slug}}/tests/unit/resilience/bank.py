"""An external system for the kit's tests: an adapter as a team writes it, and a transport that plays a script."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
from prometheus_client import REGISTRY
from pydantic import BaseModel
from pydantic_settings import SettingsConfigDict

from {{ cookiecutter.package_name }}.resilience.call import Call
from {{ cookiecutter.package_name }}.resilience.errors import PortError
from {{ cookiecutter.package_name }}.resilience.guard import Guard, open_guard
from {{ cookiecutter.package_name }}.resilience.protected import keyed_write, probe, read, write
from {{ cookiecutter.package_name }}.resilience.settings import ClientSettings

from .simulated import Seeded

_numbers = itertools.count(1)


class BankSettings(ClientSettings):
    """As in any service."""

    model_config = SettingsConfigDict(env_prefix="CLIENT_BANK__")


class Account(BaseModel):
    """A document of the bank's."""

    owner: str
    balance: int


class Bank:
    """As in any service."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    @read
    async def balance(self, call: Call, account: str = "1") -> int:
        """Ask for a balance."""
        return Account.model_validate(await call.get(f"/accounts/{account}")).balance

    @keyed_write
    async def pay(self, call: Call, amount: int, *, idempotency_key: str) -> str:
        """Move money; the key makes a repetition harmless."""
        return str((await call.post("/payments", {"amount": amount}))["id"])

    @write
    async def notify(self, call: Call, text: str) -> None:
        """Tell somebody something; a repetition would tell it twice."""
        await call.post("/notices", {"text": text})

    @probe
    async def ping(self, call: Call) -> None:
        """Ask whether the bank answers."""
        await call.get("/health")


class _Body(httpx.AsyncByteStream):
    def __init__(self, content: bytes) -> None:
        self._content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._content


def answer(
    status: int = 200,
    document: object = None,
    *,
    content: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> httpx.Response:
    """Build an answer as a transport gives it: its body is still to be read."""
    body = content if content is not None else orjson.dumps({} if document is None else document)
    return httpx.Response(status, headers=headers, stream=_Body(body))


GOOD = {"id": "p1", "owner": "Ada", "balance": 7}
"""Satisfies every method of `Bank`."""

Step = Exception | int | Mapping[str, Any] | Callable[[httpx.Request], Awaitable[httpx.Response]]


async def hang(_: httpx.Request) -> httpx.Response:
    """Never answer."""
    await asyncio.sleep(86_400)
    return answer()


def after(seconds: float, document: Mapping[str, Any] = GOOD) -> Step:
    """Answer well, after a while."""

    async def step(_: httpx.Request) -> httpx.Response:
        await asyncio.sleep(seconds)
        return answer(200, document)

    return step


class Script(httpx.AsyncBaseTransport):
    """Plays one step per request, the last one for ever: raises, answers with a status or a document, or does more."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps) or [GOOD]
        self.requests: list[httpx.Request] = []

    def play(self, *steps: Step) -> None:
        """Go on with another script."""
        self.steps = list(steps)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Play the next step."""
        self.requests.append(request)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, Exception):
            raise step
        if isinstance(step, int):
            return answer(step)
        if isinstance(step, Mapping):
            return answer(200, step)
        return await step(request)


class Opened:
    """A bank with its guard, its script and its name, which no other test shares: metrics are the process's."""

    def __init__(self, guard: Guard, script: Script) -> None:
        self.guard = guard
        self.script = script
        self.bank = Bank(guard)
        self.task_bank = Bank(guard.single_attempt())
        self.name = guard.name

    def metric(self, name: str, **labels: str) -> float:
        """Return a sample's value; a sample that does not exist is an error."""
        value = REGISTRY.get_sample_value(name, {"system": self.name, **labels})
        if value is None:
            raise LookupError(f"no sample {name} {labels}")
        return value

    async def fail(self, times: int) -> None:
        """Let so many single attempts fail with 503."""
        self.script.play(503)
        for _ in range(times):
            await swallow(self.task_bank.balance())


@asynccontextmanager
async def open_bank(*steps: Step, **changes: Any) -> AsyncIterator[Opened]:
    """Open a guarded bank whose transport plays `steps`."""
    script = Script(*steps)
    settings = BankSettings(base_url="http://bank.test/api", **changes)
    async with open_guard(f"bank{next(_numbers)}", settings, transport=script, random=Seeded(1)) as guard:
        yield Opened(guard, script)


async def swallow(call: Awaitable[object]) -> PortError | None:
    """Return the port error of a call instead of raising it."""
    try:
        await call
    except PortError as error:
        return error
    return None
