"""`python -m <package> tasks ...`: the operators' command line.

A change is a dry run until `--yes`, and needs a `--reason`, which is kept. Payloads are shown only when asked for.
"""

import argparse
import getpass
from collections.abc import Awaitable, Callable, Mapping, Sequence

from sqlalchemy import Table
from sqlalchemy.exc import IntegrityError

from .cli_output import print_json, print_rows, print_text
from .database import Database
from .errors import QueueError
from .filters import STATUSES, Filters
from .operators import PAUSED, Change, Operators, Why
from .retention import prunable, prune
from .settings import PollingSettings
from .stats import task_statistics

OK, FAILED, BAD_USAGE = 0, 1, 2
CHANGES: tuple[Change, ...] = ("retry", "cancel", "erase")

Command = Callable[["Context"], Awaitable[int]]


class Context:
    """One run of the command line."""

    def __init__(
        self, arguments: argparse.Namespace, database: Database, tables: Sequence[Table], settings: PollingSettings
    ) -> None:
        self.arguments = arguments
        self.database = database
        self.settings = settings
        self.tables = {str(table.info["task"]): table for table in tables}
        chosen = [arguments.task] if arguments.task else list(self.tables)
        self.operators = [Operators(database, self.tables[task], settings) for task in chosen]

    @property
    def filters(self) -> Filters:
        """What the options say about rows."""
        a = self.arguments
        return Filters(a.id, a.aggregate_id, a.status, a.error, a.older_than, a.newer_than)

    @property
    def why(self) -> Why:
        """Who changes something, and for what reason."""
        return Why(self.arguments.actor, self.arguments.reason)


async def main(
    argv: Sequence[str], database: Database, tables: Sequence[Table], settings: PollingSettings | None = None
) -> int:
    """Run one command and return the exit code: 0 done, 1 not done, 2 not understood."""
    tasks = sorted(str(table.info["task"]) for table in tables)
    try:
        arguments = parser(tasks).parse_args(argv)
    except SystemExit as stopped:  # argparse has said what is wrong, or has shown its help
        return stopped.code if isinstance(stopped.code, int) else BAD_USAGE
    context = Context(arguments, database, tables, settings or PollingSettings())
    try:
        return await COMMANDS[arguments.command](context)
    except (QueueError, IntegrityError) as error:  # the latter: somebody queued the same task at this moment
        print_text(f"not done: {error}", error=True)
        return FAILED


async def _list(context: Context) -> int:
    found = [
        (of.task, row) for of in context.operators for row in await of.rows(context.filters, context.arguments.limit)
    ]
    print_rows([{"task": task, **row._mapping} for task, row in found], as_json=context.arguments.json)
    return OK


async def _show(context: Context) -> int:
    (of,) = context.operators
    row = await of.row(context.arguments.task_id)
    if row is None:
        print_text(f"there is no {of.task} {context.arguments.task_id}", error=True)
        return FAILED
    shown = {"task": of.task, **row._mapping}
    if not context.arguments.show_payload:
        shown["payload"] = None if shown["payload"] is None else "(hidden; --show-payload)"
    print_json(shown)
    return OK


def _change(change: Change) -> Command:
    async def command(context: Context) -> int:
        a, changed = context.arguments, {}
        leased, resubmit = getattr(a, "leased", False), getattr(a, "resubmit", False)
        for of in context.operators:
            if a.yes:
                ids = await of.apply(change, context.filters, a.limit, context.why, leased=leased, resubmit=resubmit)
            else:
                ids = await of.candidates(change, context.filters, a.limit, leased=leased)
            changed[of.task] = ids
        _report(context, change, changed)
        return OK

    return command


def _report(context: Context, change: str, changed: Mapping[str, Sequence[int]]) -> None:
    done = bool(context.arguments.yes)
    if context.arguments.json:
        print_json({"command": change, "dry_run": not done, "tasks": changed})
        return
    for task, ids in changed.items():
        print_text(f"{task}: {len(ids)} {'changed' if done else 'would change'}{_sample(ids)}")
    if not done:
        print_text(f"dry run: nothing was changed; say --yes to {change}")


def _sample(ids: Sequence[int], most: int = 10) -> str:
    if not ids:
        return ""
    return f" ({', '.join(map(str, ids[:most]))}{', ...' if len(ids) > most else ''})"


async def _pause(context: Context) -> int:
    for of in context.operators:
        await of.pause(context.why)
        print_text(f"{of.task}: paused")
    return OK


async def _resume(context: Context) -> int:
    for of in context.operators:
        await of.resume(context.why)
        print_text(f"{of.task}: resumed")
    return OK


async def _prune(context: Context) -> int:
    a = context.arguments
    tables = [context.tables[of.task] for of in context.operators]
    given = {"completed_retention": a.completed_older_than, "failed_retention": a.failed_older_than}
    settings = context.settings.model_copy(update={name: age for name, age in given.items() if age is not None})
    count = await (prune if a.yes else prunable)(context.database, tables, settings)
    if a.yes:
        for of in context.operators:
            await of.note("prune", context.why)
    if a.json:
        print_json({"command": "prune", "dry_run": not a.yes, "rows": count})
    else:
        print_text(f"{count} rows {'deleted' if a.yes else 'would be deleted; dry run, say --yes to prune'}")
    return OK


async def _stats(context: Context) -> int:
    paused = {row.task for row in await context.database.rows(PAUSED)}
    rows = [
        {
            "task": of.task,
            **await task_statistics(context.database, context.tables[of.task]),
            "paused": of.task in paused,
        }
        for of in context.operators
    ]
    print_rows(rows, as_json=context.arguments.json)
    return OK


COMMANDS: Mapping[str, Command] = {
    "list": _list,
    "show": _show,
    **{change: _change(change) for change in CHANGES},
    "pause": _pause,
    "resume": _resume,
    "prune": _prune,
    "stats": _stats,
}


def parser(tasks: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser; `tasks` are the names that --task may have."""
    top = argparse.ArgumentParser(prog="tasks", description="Look after tasks.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print JSON")

    any_task = argparse.ArgumentParser(add_help=False)
    any_task.add_argument("--task", choices=tasks, help="one task only")
    one_task = argparse.ArgumentParser(add_help=False)
    one_task.add_argument("--task", choices=tasks, required=True)

    rows = argparse.ArgumentParser(add_help=False)
    rows.add_argument("--id", type=int, action="append", help="task id; may be repeated")
    rows.add_argument("--aggregate-id", type=int, action="append", help="the aggregate's id; may be repeated")
    rows.add_argument("--status", choices=STATUSES, action="append", help="may be repeated")
    rows.add_argument("--error", metavar="TEXT", help="last_error contains this")
    rows.add_argument("--older-than", type=float, metavar="S", help="created more than S seconds ago")
    rows.add_argument("--newer-than", type=float, metavar="S", help="created less than S seconds ago")

    reason = argparse.ArgumentParser(add_help=False)
    reason.add_argument("--reason", required=True, help="why; it is kept")
    reason.add_argument("--actor", default=getpass.getuser(), help="who; default: the user of this process")
    reason.add_argument("--yes", action="store_true", help="do it; without this it is a dry run")

    shown = commands.add_parser("list", parents=[common, any_task, rows], help="rows, the newest first")
    shown.add_argument("--limit", type=int, default=50, metavar="N", help="rows of a task (%(default)s)")
    one = commands.add_parser("show", parents=[common, one_task], help="one row")
    one.add_argument("task_id", type=int)
    one.add_argument("--show-payload", action="store_true", help="with what the client sent")
    about = {
        "retry": "FAILED rows start again, with their old idempotency key",
        "cancel": "open rows end as CANCELLED, with an event",
        "erase": "payloads of finished rows, and of their aggregates, are removed; the rows stay",
    }
    for change in CHANGES:
        changing = commands.add_parser(change, parents=[common, one_task, rows, reason], help=about[change])
        changing.add_argument("--limit", type=int, default=10_000, metavar="N", help="rows at most (%(default)s)")
        if change == "cancel":
            changing.add_argument("--leased", action="store_true", help="also rows that a worker holds right now")
        if change == "retry":
            changing.add_argument("--resubmit", action="store_true", help="submit again instead of asking again")
    commands.add_parser("pause", parents=[common, one_task, reason], help="no process claims the task (at once)")
    commands.add_parser("resume", parents=[common, one_task, reason], help="undo pause (at once)")
    pruning = commands.add_parser("prune", parents=[common, any_task, reason], help="delete what is past its retention")
    pruning.add_argument("--completed-older-than", type=float, metavar="S", help="instead of the setting")
    pruning.add_argument("--failed-older-than", type=float, metavar="S", help="instead of the setting")
    commands.add_parser("stats", parents=[common, any_task], help="counts and ages")
    return top
