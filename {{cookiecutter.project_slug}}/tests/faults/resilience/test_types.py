"""What the type checker promises: an adapter's calls keep their types, and an unprotected call does not type-check."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]

ADAPTER = """
from typing import assert_type
from {{ cookiecutter.package_name }}.resilience.call import Call
from {{ cookiecutter.package_name }}.resilience.guard import Guard
from {{ cookiecutter.package_name }}.resilience.protected import keyed_write, probe, read, write
from {{ cookiecutter.package_name }}.resilience.system import Adapter

class Bank:
    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    @read
    async def balance(self, call: Call, account: str, *, fresh: bool = False) -> int:
        return int((await call.get("/accounts/" + account))["balance"])

    @keyed_write
    async def pay(self, call: Call, amount: int, *, idempotency_key: str) -> str:
        return str((await call.post("/payments", {"amount": amount}))["id"])

    @write
    async def notify(self, call: Call) -> None:
        await call.post("/notices")

    @probe
    async def ping(self, call: Call) -> None:
        await call.get("/health")

async def use(bank: Bank, guard: Guard) -> None:
    adapter: Adapter = bank
    await adapter.ping()
"""

RIGHT = {
    "the result keeps its type": "assert_type(await bank.balance('1', fresh=True), int)",
    "a keyed write keeps its type": "assert_type(await bank.pay(1, idempotency_key='k'), str)",
}
WRONG = {
    "a call without the guard": "await guard.client.get('/accounts/1')",
    "a method called with a Call": "await bank.balance(object(), '1')",
    "a wrong argument": "await bank.balance(1)",
    "an unknown keyword": "await bank.balance('1', stale=True)",
    "a missing argument": "await bank.balance()",
    "a keyed write without its key": "await bank.pay(1)",
    "a wrong result": "amount: str = await bank.balance('1')",
    "a system's name to call it by": "await guard.execute('sber', 'balance')",
}


def complaints(line: str, folder: Path) -> str:
    file = folder / "checked.py"
    file.write_text(f"{ADAPTER}    {line}\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), "--config-file", ""]
    run = subprocess.run(
        [*command, str(file)],
        cwd=PROJECT,
        env={"MYPYPATH": "src:stubs", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return run.stdout if run.returncode else ""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("types")


@pytest.mark.parametrize("line", RIGHT.values(), ids=RIGHT)
def test_res_where_1_types_stay_to_the_last_parameter(line: str, folder: Path) -> None:
    assert complaints(line, folder) == ""


@pytest.mark.parametrize("line", WRONG.values(), ids=WRONG)
def test_res_where_1_an_unprotected_or_wrong_call_does_not_type_check(line: str, folder: Path) -> None:
    found = complaints(line, folder)

    last = len(ADAPTER.splitlines()) + 1
    assert found
    assert all(f":{last}: error:" in told for told in found.splitlines() if ": error:" in told), found
