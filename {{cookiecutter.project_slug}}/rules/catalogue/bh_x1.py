"""R-RES-BH-X1."""

import ast
import re
from collections.abc import Iterator

from ..binding import CALLABLES
from ..finding import Finding, Rule
from ..syntax import last_name

RUNNERS = {
    "asyncio.run",
    "anyio.run",
    "anyio.from_thread.run",
    "trio.run",
    "uvloop.run",
    "asyncio.run_coroutine_threadsafe",
    "asgiref.sync.async_to_sync",
}
POOLED = {"submit", "map", "apply", "apply_async", "imap", "imap_unordered", "map_async", "starmap", "starmap_async"}
EXECUTORS = POOLED | {
    "to_thread",
    "run_in_executor",
    "run_in_threadpool",
    "run_sync",
    "sync_to_async",
    "iterate_in_threadpool",
}
POOL = re.compile(r"(ThreadPoolExecutor|ProcessPoolExecutor|ThreadPool|multiprocessing\.Pool|pool\.Pool)$")
POOL_NAME = re.compile(r"(pool|executor|threads|workers)s?$", re.IGNORECASE)


class ExecutorAroundAsync(Rule):
    """A thread or process pool around an async call.

    A second loop in a thread loses the context variables, the cancellation and the connections of the first, and a full pool queues
    without a limit. Limit calls with an `asyncio.Semaphore` in the caller's task (the kit's bulkhead).
    """

    code = "BH-X1"
    nodes = (ast.Call,)
    needs = (
        (
            "to_thread",
            "run_in_executor",
            "run_in_threadpool",
            "run_sync",
            "sync_to_async",
            "Executor",
            "Pool",
            "pool.",
            "iterate_in_",
        ),
    )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """An executor that is given `asyncio.run`, a function that calls it, or an async function."""
        if not isinstance(node, ast.Call) or last_name(node.func) not in EXECUTORS or not self._is_executor(node):
            return
        if any(self._runs_loop(a) for a in (*node.args, *(k.value for k in node.keywords))):
            yield self.finding(node)

    def _is_executor(self, call: ast.Call) -> bool:
        name = last_name(call.func)
        if name not in POOLED:
            return name != "run_sync" or "thread" in ast.unparse(call.func)
        if not isinstance(call.func, ast.Attribute):
            return False
        return bool(POOL.search(self.resolver.kind(call.func.value)) or POOL_NAME.search(last_name(call.func.value)))

    def _runs_loop(self, argument: ast.expr) -> bool:
        if self._is_runner(argument):
            return True
        function = self.resolver.function_of(argument)
        if function is None and isinstance(argument, (ast.Name, ast.Attribute)):
            there = self.resolver.foreign(argument)
            if there is not None:
                return isinstance(there.function, ast.AsyncFunctionDef)
        if (
            function is None
            and isinstance(argument, ast.Call)
            and last_name(argument.func) == "partial"
            and argument.args
        ):
            return self._runs_loop(argument.args[0])
        if isinstance(function, ast.AsyncFunctionDef):
            return True
        return isinstance(function, CALLABLES) and self._runs_inside(function, 0)

    def _is_runner(self, node: ast.expr) -> bool:
        """`asyncio.run`, `loop.run_until_complete`, and `run` of an `asyncio.Runner`."""
        if self.resolver.name(node) in RUNNERS or last_name(node) == "run_until_complete":
            return True
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "run"
            and self.resolver.kind(node.value).endswith("asyncio.Runner")
        )

    def _runs_inside(self, function: ast.AST, depth: int) -> bool:
        for call in self.resolver.calls_in(function):
            if self._is_runner(call.func):
                return True
            called = self.resolver.function_of(call.func)
            if called is not None and depth < 3 and self._runs_inside(called, depth + 1):
                return True
        return False
