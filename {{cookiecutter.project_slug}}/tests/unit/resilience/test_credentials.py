"""Who we are to a system: a static header, or a token that is fetched once for many callers."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from pydantic import SecretStr

from {{ cookiecutter.package_name }}.resilience.errors import (
    BadResponseError,
    SystemFailedError,
    TimedOutError,
    UnauthorizedError,
)

from .bank import GOOD, Opened, answer, open_bank, swallow
from .simulated import pass_time, simulated


class Issuer:
    """Grants tokens and answers the bank's calls, on one transport."""

    def __init__(self) -> None:
        self.granted = 0
        self.grants: list[httpx.Request] = []
        self.used: list[str] = []
        self.latency_s = 0.1
        self.status = 200
        self.refuses = False
        self.grant: dict[str, Any] = {"expires_in": 300}

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.host != "id.test":
            self.used.append(request.headers.get("Authorization", ""))
            return answer(401) if self.refuses else answer(200, GOOD)
        self.grants.append(request)
        await asyncio.sleep(self.latency_s)
        if self.status != 200:
            return answer(self.status, {"error": "invalid_client"})
        self.granted += 1
        return answer(200, {"access_token": f"token-{self.granted}", **self.grant})


@asynccontextmanager
async def open_with_token(issuer: Issuer, **changes: Any) -> AsyncIterator[Opened]:
    oauth = {
        "token_url": "https://id.test/token",
        "client_id": "me",
        "client_secret": SecretStr("s3cret"),
        "scope": "pay",
    }
    async with open_bank(issuer, **{f"oauth_{name}": value for name, value in oauth.items()}, **changes) as opened:
        yield opened


@simulated
async def test_a_static_header_goes_with_every_call() -> None:
    async with open_bank(auth_header="X-Api-Key", auth_value=SecretStr("k1")) as opened:
        await opened.bank.balance()
        await opened.bank.ping()

        assert [request.headers["X-Api-Key"] for request in opened.script.requests] == ["k1", "k1"]


@simulated
async def test_a_token_is_asked_for_as_rfc_6749_says() -> None:
    issuer = Issuer()
    async with open_with_token(issuer) as opened:
        await opened.bank.balance()

        request = issuer.grants[0]
        assert parse_qs(request.content.decode()) == {"grant_type": ["client_credentials"], "scope": ["pay"]}
        assert request.headers["Authorization"] == "Basic " + base64.b64encode(b"me:s3cret").decode()
        assert issuer.used == ["Bearer token-1"]


@simulated
async def test_many_callers_share_one_token() -> None:
    issuer = Issuer()
    async with open_with_token(issuer) as opened:
        await asyncio.gather(*(opened.bank.balance() for _ in range(16)))

        assert issuer.granted == 1
        assert set(issuer.used) == {"Bearer token-1"}


@simulated
async def test_a_caller_that_gives_up_does_not_take_the_token_from_the_others() -> None:
    issuer = Issuer()
    async with open_with_token(issuer) as opened:
        calls = [asyncio.create_task(opened.bank.balance()) for _ in range(3)]
        await asyncio.sleep(0.05)
        calls[0].cancel()
        await asyncio.wait(calls)

        assert issuer.granted == 1
        assert len(issuer.used) == 2


@simulated
async def test_a_token_is_renewed_before_it_ends() -> None:
    issuer = Issuer()
    async with open_with_token(issuer) as opened:
        await opened.bank.balance()
        pass_time(269)
        await opened.bank.balance()
        pass_time(2)
        await opened.bank.balance()

        assert issuer.used == ["Bearer token-1", "Bearer token-1", "Bearer token-2"]


@simulated
async def test_a_failed_renewal_does_not_end_a_token_that_still_lives() -> None:
    issuer = Issuer()
    async with open_with_token(issuer) as opened:
        await opened.bank.balance()
        pass_time(280)
        issuer.status = 503

        await opened.bank.balance()

        assert issuer.used == ["Bearer token-1", "Bearer token-1"]
        pass_time(30)
        assert isinstance(await swallow(opened.task_bank.balance()), SystemFailedError)


@simulated
async def test_a_refused_token_is_forgotten_but_not_a_young_one() -> None:
    issuer = Issuer()
    async with open_with_token(issuer) as opened:
        await opened.bank.balance()
        issuer.refuses = True
        for _ in range(5):
            assert isinstance(await swallow(opened.bank.balance()), UnauthorizedError)
        assert issuer.granted == 1  # seconds old: another one would be refused as well

        pass_time(10)
        await swallow(opened.bank.balance())
        issuer.refuses = False
        await opened.bank.balance()

        assert issuer.granted == 2


@simulated
async def test_a_dead_token_endpoint_opens_the_breaker_like_any_dead_system() -> None:
    issuer = Issuer()
    issuer.latency_s = 3600
    async with open_with_token(issuer) as opened:
        error = await swallow(opened.task_bank.balance())
        assert isinstance(error, TimedOutError)

        for _ in range(9):
            await swallow(opened.task_bank.balance())

        assert opened.guard.state == "open"
        assert issuer.used == []


@pytest.mark.parametrize(
    "grant",
    [{"access_token": 5}, {"access_token": ""}, {"access_token": None}, {"access_token": "a\r\nX-Evil: 1"}],
)
def test_a_grant_without_a_usable_token_is_a_bad_response(grant: dict[str, Any]) -> None:
    @simulated
    async def scenario() -> None:
        issuer = Issuer()
        issuer.grant = grant
        async with open_with_token(issuer) as opened:
            assert isinstance(await swallow(opened.task_bank.balance()), BadResponseError)

    scenario()


@pytest.mark.parametrize(("expires_in", "lives_s"), [(300, 300), ("300", 300), (None, 300), ("later", 300), (90, 90)])
def test_the_lifetime_may_be_text_or_missing(expires_in: object, lives_s: float) -> None:
    @simulated
    async def scenario() -> None:
        issuer = Issuer()
        issuer.grant = {} if expires_in is None else {"expires_in": expires_in}
        async with open_with_token(issuer, oauth_refresh_before=0) as opened:
            await opened.bank.balance()
            pass_time(lives_s - 1)
            await opened.bank.balance()
            pass_time(1)
            await opened.bank.balance()

            assert issuer.granted == 2

    scenario()


@simulated
async def test_a_cookie_of_the_token_endpoint_goes_nowhere() -> None:
    async def step(request: httpx.Request) -> httpx.Response:
        grant = {"access_token": "t"} | GOOD
        return answer(200, grant, headers={"Set-Cookie": "session=1; Path=/"})

    async with open_bank(
        step,
        oauth_token_url="http://bank.test/token",
        oauth_client_id="me",
        oauth_client_secret=SecretStr("s3cret"),
    ) as opened:
        await opened.bank.balance()

        assert all("Cookie" not in request.headers for request in opened.script.requests)


@simulated
async def test_a_refused_client_is_told_without_its_secret(caplog: pytest.LogCaptureFixture) -> None:
    issuer = Issuer()
    issuer.status = 400
    async with open_with_token(issuer) as opened:
        error = await swallow(opened.task_bank.balance())

        assert isinstance(error, UnauthorizedError)
        told = f"{error} " + " ".join(str(record.__dict__) for record in caplog.records)
        assert "s3cret" not in told
        assert opened.guard.state == "closed"


@simulated
async def test_closing_ends_a_fetch_that_is_under_way() -> None:
    issuer = Issuer()
    issuer.latency_s = 3600
    async with open_with_token(issuer) as opened:
        call = asyncio.create_task(swallow(opened.bank.balance()))
        await asyncio.sleep(0.01)

    await call
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("token ")]
