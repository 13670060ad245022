"""What every real system needs: a private authority, a client certificate, a proxy, nothing from outside."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from {{ cookiecutter.package_name }}.resilience.errors import UnreachableError

from . import misbehaving as faults
from .guarded import open_guarded
from .misbehaving import Misbehaving, misbehaving
from tests.unit.resilience.bank import swallow

OPENSSL = shutil.which("openssl")

needs_openssl = pytest.mark.skipif(OPENSSL is None, reason="no openssl command to make certificates with")


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a certificate for 127.0.0.1 that is its own authority, and one for us."""
    folder = tmp_path_factory.mktemp("certificates")
    for name, extension in (("server", "subjectAltName=IP:127.0.0.1"), ("client", "subjectAltName=DNS:client")):
        command = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
        files = ["-addext", extension, "-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
        subprocess.run([OPENSSL or "openssl", *command, *files], check=True, capture_output=True)
    return folder


@asynccontextmanager
async def serving_tls(folder: Path, *, asks: bool = False) -> AsyncIterator[str]:
    """Serve over TLS; `asks` demands our certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=folder / "client.pem")
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    context.verify_mode = ssl.CERT_REQUIRED if asks else ssl.CERT_NONE
    state = Misbehaving()
    server = await asyncio.start_server(state.serve, "127.0.0.1", 0, ssl=context)
    try:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        state.heal()
        await asyncio.sleep(0)


@needs_openssl
async def test_a_private_authority_is_trusted_when_it_is_named(certificates: Path) -> None:
    async with serving_tls(certificates) as address:
        async with open_guarded(address, connect_timeout=0.5, read_timeout=1, total_timeout=3) as guarded:
            error = await swallow(guarded.task_bank.balance())
            assert isinstance(error, UnreachableError)
        async with open_guarded(
            address, ca_bundle=certificates / "server.pem", connect_timeout=0.5, read_timeout=1, total_timeout=3
        ) as guarded:
            assert await guarded.task_bank.balance() == 7


@needs_openssl
async def test_a_client_certificate_is_shown(certificates: Path) -> None:
    times = {"connect_timeout": 0.5, "read_timeout": 1, "total_timeout": 3, "ca_bundle": certificates / "server.pem"}
    async with serving_tls(certificates, asks=True) as address:
        async with open_guarded(address, **times) as guarded:
            assert await swallow(guarded.task_bank.balance()) is not None
        async with open_guarded(
            address, client_certificate=certificates / "client.pem", client_key=certificates / "client.key", **times
        ) as guarded:
            assert await guarded.task_bank.balance() == 7


async def test_calls_go_through_the_systems_own_proxy() -> None:
    async with misbehaving() as proxy:
        secret = SecretStr(proxy.address.replace("http://", "http://me:hunter2@"))
        async with open_guarded("http://bank.invalid/api", proxy=secret) as guarded:
            assert await guarded.task_bank.balance() == 7

            request = proxy.requests[0].lower()
            assert request.startswith(b"get http://bank.invalid/api/accounts/1 ")
            assert b"proxy-authorization: basic" in request


async def test_a_dead_proxy_is_unreachable() -> None:
    async with open_guarded("http://bank.invalid", proxy=SecretStr(faults.refused_address())) as guarded:
        assert isinstance(await swallow(guarded.task_bank.balance()), UnreachableError)
        guarded.assert_whole()


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, faults.refused_address())
    async with misbehaving() as server, open_guarded(server.address) as guarded:
        assert await guarded.task_bank.balance() == 7
