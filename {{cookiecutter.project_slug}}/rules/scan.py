"""Many files: those that are not cached, shared out over the processors."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

from .cache import Cache
from .checker import Outcome, Target, check
from .finding import Finding, Rule
from .modules import forget
from .suppression import Suppression

WORTH_A_PROCESS = 150_000  # bytes of source; below that a second process costs more than it gives

_rules: list[type[Rule]] = []  # what forked workers inherit: classes of a team's files cannot be sent


def scan(targets: list[Target], rules: list[type[Rule]], cache: Cache) -> tuple[list[Finding], list[Suppression]]:
    """The findings and the suppressions in use of all files, in the order of their paths."""
    forget()
    outcomes: dict[str, Outcome] = {}
    waiting: list[tuple[Target, bytes]] = []
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


def _check_all(waiting: list[tuple[Target, bytes]], rules: list[type[Rule]]) -> list[Outcome]:
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 8)
    size = sum(len(content) for _, content in waiting)
    if (
        workers < 2
        or size < WORTH_A_PROCESS
        or len(waiting) < 2
        or "fork" not in multiprocessing.get_all_start_methods()
    ):
        return [check(target, content, rules) for target, content in waiting]
    _rules[:] = rules
    shares = _shares(waiting, workers)
    outcomes: list[Outcome | None] = [None] * len(waiting)
    with ProcessPoolExecutor(workers - 1, mp_context=multiprocessing.get_context("fork")) as pool:
        others = [(share, pool.submit(_check_some, [waiting[i] for i in share])) for share in shares[1:]]
        for index, outcome in zip(shares[0], _check_some([waiting[i] for i in shares[0]]), strict=True):
            outcomes[index] = outcome
        for share, future in others:
            for index, outcome in zip(share, future.result(), strict=True):
                outcomes[index] = outcome
    return [o for o in outcomes if o is not None]


def _shares(waiting: list[tuple[Target, bytes]], workers: int) -> list[list[int]]:
    """Indices by size, the largest first to whoever has least."""
    loads = [0] * workers
    shares: list[list[int]] = [[] for _ in range(workers)]
    for index in sorted(range(len(waiting)), key=lambda i: -len(waiting[i][1])):
        least = loads.index(min(loads))
        shares[least].append(index)
        loads[least] += len(waiting[index][1]) + 1000
    return shares


def _check_some(some: list[tuple[Target, bytes]]) -> list[Outcome]:
    return [check(target, content, _rules) for target, content in some]
