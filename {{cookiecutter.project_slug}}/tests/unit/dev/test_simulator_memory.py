"""A restarted simulator knows what its systems had promised."""

from pathlib import Path

import pytest

from dev.simulator import memory
from dev.simulator.memory import Memory
from dev.simulator.system import SimulatedSystem


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".dev" / "postgresql.operations"


def started(file: Path) -> SimulatedSystem:
    """Start anew, as a new process would."""
    systems = {"bank": SimulatedSystem("bank"), "post": SimulatedSystem("post")}
    Memory(file).recall(systems)
    return systems["bank"]


def test_an_operation_goes_on_from_where_it_was(file: Path) -> None:
    bank = started(file)
    bank.see("key")
    before = bank.carry_out("key", "task:1")
    bank.decide(before)

    bank = started(file)

    after = bank.operations[before.operation_id]
    assert (after.polls, after.status) == (1, "pending")
    assert bank.carry_out("key", "task:1") is after
    bank.decide(after)
    assert started(file).operations[before.operation_id].status == "confirmed"


def test_a_key_stays_known_though_nothing_came_of_it_and_counters_begin_afresh(file: Path) -> None:
    bank = started(file)
    bank.see("key")
    bank.see("key")

    bank = started(file)

    assert bank.proof() == SimulatedSystem("bank").proof()
    bank.see("key")
    assert bank.proof()["repeated_keys"] == 1
    assert bank.operations == {}


def test_systems_do_not_share_keys_and_one_that_is_gone_is_no_obstacle(file: Path) -> None:
    alone = {"bank": SimulatedSystem("bank")}
    Memory(file).recall(alone)
    alone["bank"].see("key")

    others = {"post": SimulatedSystem("post")}
    Memory(file).recall(others)

    assert others["post"].keys_seen == set()


def test_half_a_line_of_a_killed_process_is_no_obstacle(file: Path) -> None:
    bank = started(file)
    operation = bank.carry_out("key", "task:1")
    with file.open("a") as lines:
        lines.write('{"system": "ba')

    assert operation.operation_id in started(file).operations


def test_the_file_does_not_grow_for_ever(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "REMEMBERED", 10)
    bank = started(file)

    for number in range(1000):
        bank.decide(bank.carry_out(f"key {number}", f"task:{number}"))
        assert len(file.read_text().splitlines()) <= 10 * memory.LINES_PER_KEY

    assert sorted(started(file).keys_seen) == [f"key {number}" for number in range(990, 1000)]
