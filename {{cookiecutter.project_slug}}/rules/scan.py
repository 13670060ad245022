"""Many files: those that are not cached, shared out over the processors."""

import os
from functools import partial

from .cache import Cache
from .checker import Outcome, Target, check
from .finding import Finding, Rule
from .modules import forget
from .processes import in_processes
from .records import Record, from_record, to_record
from .suppression import Suppression

WORTH_A_PROCESS = 150_000  # bytes of source; below that a second process costs more than it gives
MOST_PROCESSES = 8
A_FILE = 1000  # what a file costs beside its size, in bytes
Work = list[tuple[Target, bytes]]


def scan(targets: list[Target], rules: list[type[Rule]], cache: Cache) -> tuple[list[Finding], list[Suppression]]:
    """The findings and the suppressions in use of all files, in the order of their paths."""
    forget()
    outcomes: dict[str, Outcome] = {}
    waiting: Work = []
    for target in targets:
        try:
            content = target.path.read_bytes()
        except OSError as error:
            outcomes[target.shown] = Outcome(
                [Finding(target.shown, 1, 1, "SYNTAX", "error", f"The file cannot be read: {error}.")]
            )
            continue
        known = cache.get(target, content)
        if known is not None:
            outcomes[target.shown] = known
        else:
            waiting.append((target, content))
    for (target, content), outcome in zip(waiting, _check_all(waiting, rules), strict=True):
        outcomes[target.shown] = outcome
        cache.put(target, content, outcome)
    cache.save()
    ordered = [outcomes[t.shown] for t in targets]
    return [f for o in ordered for f in o.findings], [s for o in ordered for s in o.suppressions]


def _check_all(waiting: Work, rules: list[type[Rule]]) -> list[Outcome]:
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    size = sum(len(content) for _, content in waiting)
    workers = min(processors, MOST_PROCESSES, len(waiting))
    if workers < 2 or size < WORTH_A_PROCESS or not hasattr(os, "fork"):
        return [check(target, content, rules) for target, content in waiting]
    shares = _shares(waiting, workers)
    found = in_processes([partial(_share, [waiting[i] for i in share], rules) for share in shares])
    records = {
        i: record for share, some in zip(shares, found, strict=True) for i, record in zip(share, some, strict=True)
    }
    return [from_record(records[i]) for i in range(len(waiting))]


def _share(work: Work, rules: list[type[Rule]]) -> list[Record]:
    return [to_record(check(target, content, rules)) for target, content in work]


def _shares(waiting: Work, workers: int) -> list[list[int]]:
    """Indices, by folder because neighbours ask for each other, the largest first to whoever has least."""
    folders: dict[str, list[int]] = {}
    for index, (target, _) in enumerate(waiting):
        folders.setdefault(os.path.dirname(target.path), []).append(index)
    cost = [len(content) + A_FILE for _, content in waiting]
    fair = sum(cost) / workers / 2
    groups: list[list[int]] = []
    for group in folders.values():
        whole = sum(cost[i] for i in group) <= fair
        groups.extend([group] if whole else [[i] for i in group])
    loads = [0] * workers
    shares: list[list[int]] = [[] for _ in range(workers)]
    for group in sorted(groups, key=lambda g: -sum(cost[i] for i in g)):
        least = loads.index(min(loads))
        shares[least].extend(group)
        loads[least] += sum(cost[i] for i in group)
    return shares
