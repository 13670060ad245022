"""The operators' command line: dry by default, guarded, recorded."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from {{ cookiecutter.package_name }}.polling.api import Completed
from {{ cookiecutter.package_name }}.polling.cli import main
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.further_task import FurtherTask
from {{ cookiecutter.package_name }}.polling.settlement import settle
from {{ cookiecutter.package_name }}.polling.store import TaskStore

from tests.integration.polling.workshop import FAST, FIRST, SECOND, THINGS, accepted, execute, rows

TABLES = [FIRST, SECOND]
WHY = ("--reason", "ticket 7", "--actor", "ann")
FAIL = """UPDATE order_confirmation_task SET status = 'FAILED', retry_count = 20, last_error = 'HTTP 503',
finished_at = now() WHERE task_id <= CAST(:up_to AS bigint) RETURNING 1"""


async def run(database: Database, *line: str) -> int:
    return await main(line, database, TABLES, FAST)


async def actions(database: Database) -> list[Mapping[str, Any]]:
    return [dict(row._mapping) for row in await execute(database, "SELECT * FROM polling_action ORDER BY action_id")]


async def test_list_filters_and_prints_json(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    await accepted(database, 5)
    await execute(database, FAIL, up_to=3)

    assert await run(database, "list", "--status", "FAILED", "--error", "503", "--limit", "2", "--json") == 0

    shown = json.loads(capsys.readouterr().out)
    assert [row["task_id"] for row in shown] == [3, 2]
    assert "payload" not in shown[0]


async def test_list_prints_a_table(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    await accepted(database, 1)

    assert await run(database, "list") == 0

    head, row = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["task", "task_id", "aggregate_id"]
    assert row.split()[:4] == ["order_confirmation", "1", "1", "PENDING"]


async def test_show_hides_the_payload_until_asked(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    await accepted(database, 1)
    assert await run(database, "show", "--task", "order_confirmation", "1") == 0
    assert "number" not in capsys.readouterr().out

    assert await run(database, "show", "--task", "order_confirmation", "1", "--show-payload") == 0
    assert json.loads(capsys.readouterr().out)["payload"] == {"number": 0}
    assert await run(database, "show", "--task", "order_confirmation", "9") == 1


@pytest.mark.parametrize("command", ["retry", "cancel", "erase"])
async def test_a_change_is_dry_until_confirmed(
    database: Database, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await accepted(database, 4)
    await execute(database, FAIL, up_to=2)
    before = await rows(database)

    assert await run(database, command, "--task", "order_confirmation", *WHY) == 0

    assert "dry run" in capsys.readouterr().out
    assert await rows(database) == before
    assert await actions(database) == []


@pytest.mark.parametrize("command", ["retry", "cancel", "erase", "pause", "resume", "prune"])
async def test_a_change_without_a_reason_is_not_understood(database: Database, command: str) -> None:
    assert await run(database, command, "--task", "order_confirmation") == 2


async def test_retry_starts_failed_rows_again_and_keeps_why(database: Database) -> None:
    await accepted(database, 4)
    await execute(database, FAIL, up_to=2)
    before = {row.task_id: row for row in await rows(database)}

    assert await run(database, "retry", "--task", "order_confirmation", "--id", "1", "--id", "4", *WHY, "--yes") == 0

    after = {row.task_id: row for row in await rows(database)}
    assert (after[1].status, after[1].retry_count, after[1].finished_at) == ("PENDING", 0, None)
    assert after[1].idempotency_key == before[1].idempotency_key
    assert after[2].status == "FAILED"
    assert after[4] == before[4]
    (action,) = await actions(database)
    assert (action["action"], action["task_ids"]) == ("retry", [1])
    assert (action["reason"], action["actor"]) == ("ticket 7", "ann")
    assert action["filters"] == {"ids": [1, 4]}


async def test_retry_goes_on_where_the_row_was_unless_told_to_submit_again(database: Database) -> None:
    await accepted(database, 2)
    await execute(database, FAIL, up_to=2)
    await execute(database, "UPDATE order_confirmation_task SET external_id = 'op' RETURNING 1")

    await run(database, "retry", "--task", "order_confirmation", "--id", "1", *WHY, "--yes")
    await run(database, "retry", "--task", "order_confirmation", "--id", "2", "--resubmit", *WHY, "--yes")

    first, second = await rows(database)
    assert (first.status, first.external_id) == ("IN_PROGRESS", "op")
    assert (second.status, second.external_id) == ("PENDING", None)


async def test_retry_never_opens_a_second_task_of_an_aggregate(database: Database) -> None:
    await accepted(database, 1)
    further = FurtherTask(database, THINGS, SECOND, FAST)
    for _ in range(2):
        await further.queue(1)
        await execute(database, "UPDATE order_receipt_task SET status = 'FAILED', finished_at = now() RETURNING 1")

    await run(database, "retry", "--task", "order_receipt", *WHY, "--yes")

    assert [row.status for row in await rows(database, SECOND)] == ["FAILED", "PENDING"]


async def test_cancel_fences_a_worker_only_when_asked_to(database: Database) -> None:
    await accepted(database, 2)
    store = TaskStore(database, FIRST, FAST, "worker")
    (held,) = await store.claim(1)

    await run(database, "cancel", "--task", "order_confirmation", *WHY, "--yes")
    assert [row.status for row in await rows(database)] == ["PENDING", "CANCELLED"]

    await run(database, "cancel", "--task", "order_confirmation", "--leased", *WHY, "--yes")
    assert [row.status for row in await rows(database)] == ["CANCELLED", "CANCELLED"]
    assert await store.settle([settle(held.task, Completed(), FAST)]) == {}
    events = await execute(database, "SELECT topic, reason FROM polling_outbox")
    assert [tuple(row) for row in events] == [("order_confirmation.failed", "cancelled by ann: ticket 7")] * 2


async def test_erase_removes_every_copy_of_a_payload_and_keeps_the_rows(database: Database) -> None:
    await accepted(database, 2)
    await FurtherTask(database, THINGS, SECOND, FAST).queue(1)
    await execute(database, FAIL, up_to=2)

    await run(database, "erase", "--task", "order_confirmation", *WHY, "--yes")
    assert [row.payload for row in await rows(database)] == [{"number": 0}, None]  # the first one's receipt is open

    await execute(database, "UPDATE order_receipt_task SET status = 'COMPLETED', finished_at = now() RETURNING 1")
    await run(database, "erase", "--task", "order_confirmation", *WHY, "--yes")
    assert [row.payload for row in (*await rows(database), *await rows(database, SECOND))] == [None] * 3
    assert [row.payload for row in await database.rows(THINGS.select())] == [{}, {}]


async def test_pause_and_resume_hold_for_every_process(database: Database) -> None:
    await accepted(database, 1)
    store = TaskStore(database, FIRST, FAST, "worker")

    assert await run(database, "pause", "--task", "order_confirmation", *WHY) == 0
    assert await store.claim(1) == []
    assert await run(database, "resume", "--task", "order_confirmation", *WHY) == 0
    assert len(await store.claim(1)) == 1
    assert [action["action"] for action in await actions(database)] == ["pause", "resume"]


async def test_prune_counts_before_it_deletes(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    await accepted(database, 3)
    await execute(database, FAIL, up_to=2)
    line = ("prune", "--failed-older-than", "0", "--json", *WHY)

    await run(database, *line)
    assert json.loads(capsys.readouterr().out) == {"command": "prune", "dry_run": True, "rows": 2}
    await run(database, *line, "--yes")
    assert json.loads(capsys.readouterr().out)["dry_run"] is False
    assert len(await rows(database)) == 1


async def test_stats_count(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    await accepted(database, 3)
    await execute(database, FAIL, up_to=1)

    await run(database, "stats", "--json")

    first, second = json.loads(capsys.readouterr().out)
    assert (first["task"], first["pending"], first["failed"], first["due"]) == ("order_confirmation", 2, 1, 2)
    assert (second["task"], second["pending"], second["paused"]) == ("order_receipt", 0, False)
