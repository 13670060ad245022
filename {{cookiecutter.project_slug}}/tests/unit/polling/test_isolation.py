"""A suspect runs alone: nothing beside it, nothing starved by it."""

from {{ cookiecutter.package_name }}.polling.isolation import Isolation


def test_alone_waits_for_the_others_and_lets_nobody_new_in() -> None:
    isolation, told = Isolation(), []
    isolation.watch("me", lambda: told.append("told"))
    assert isolation.enter()
    assert isolation.enter()

    assert not isolation.enter_alone("me")
    assert not isolation.enter()
    isolation.leave()
    assert told == []
    isolation.leave()
    assert told == ["told"]
    assert isolation.enter_alone("me")
    assert not isolation.enter()
    isolation.leave()
    assert isolation.enter()


def test_whoever_goes_away_no_longer_keeps_others_out() -> None:
    isolation = Isolation()
    isolation.enter()
    isolation.enter_alone("me")

    isolation.unwatch("me")

    assert isolation.enter()


def test_two_suspects_run_one_after_the_other() -> None:
    isolation = Isolation()
    assert isolation.enter_alone("one")
    assert not isolation.enter_alone("two")
    isolation.leave()
    assert not isolation.enter()
    assert isolation.enter_alone("two")
