"""One key, one effect, and counters that would show it if it were otherwise."""

import pytest

from dev.simulator.behaviour import Behaviour
from dev.simulator.system import SimulatedSystem


@pytest.fixture
def system() -> SimulatedSystem:
    return SimulatedSystem("any")


def test_one_key_is_one_effect(system: SimulatedSystem) -> None:
    first, again = system.carry_out("key", "task:1"), system.carry_out("key", "task:1")

    assert first is again
    assert (system.proof()["effects"], system.proof()["duplicate_effects"]) == (1, 0)


def test_two_keys_for_one_reference_are_a_duplicate_effect(system: SimulatedSystem) -> None:
    for key in ("one", "two", "three"):
        system.carry_out(key, "task:1")
    system.carry_out("four", "task:2")

    assert (system.proof()["effects"], system.proof()["duplicate_effects"]) == (4, 2)


def test_a_key_repeats_from_its_second_submission_on(system: SimulatedSystem) -> None:
    for key in ("one", "two", "one", "one"):
        system.see(key)

    assert system.proof()["repeated_keys"] == 2


def test_an_operation_is_pending_for_as_many_polls_as_told(system: SimulatedSystem) -> None:
    system.behaviour = Behaviour(pending_polls=2)
    operation = system.carry_out("key", "task:1")

    seen = []
    for _ in range(4):
        system.decide(operation)
        seen.append(operation.status)

    assert seen == ["pending", "pending", "confirmed", "confirmed"]


def test_what_is_decided_stays_so(system: SimulatedSystem) -> None:
    system.behaviour = Behaviour(pending_polls=0, outcome="rejected")
    operation = system.carry_out("key", "task:1")
    system.decide(operation)
    system.behaviour = Behaviour(pending_polls=5)

    system.decide(operation)

    assert operation.status == "rejected"
    assert operation.document()["reason"]


def test_a_reset_forgets_counters_and_behaviour_but_no_key(system: SimulatedSystem) -> None:
    system.behaviour = Behaviour(error_rate=1.0)
    system.see("key")
    before = system.carry_out("key", "task:1")

    system.reset()

    assert system.proof() == SimulatedSystem("any").proof()
    assert system.carry_out("key", "task:1") is before
    assert system.proof()["effects"] == 0
    system.see("key")
    assert system.proof()["repeated_keys"] == 1
