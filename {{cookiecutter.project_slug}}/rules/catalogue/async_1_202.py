"""R-RES-ASYNC-1, the answer to queued work."""

import ast
import re
from collections.abc import Iterator

from ..arithmetic import UNKNOWN
from ..binding import FUNCTIONS, Function
from ..finding import Finding, Rule
from ..roles import route_method
from ..syntax import keyword, last_name

QUEUED = re.compile(r"^(queued|accepted|pending|enqueued|scheduled|submitted|processing|in_progress)$", re.IGNORECASE)
SURE = re.compile(r"^(queued|accepted|enqueued|scheduled)$", re.IGNORECASE)
ENQUEUES = re.compile(
    r"^(enqueue|add_task|enqueue_job|apply_async|send_task|queue_task|delay|defer_async|enqueue_task|kiq)$"
)
QUEUES = re.compile(r"(queue|tasks?|background|background_tasks|scheduler|broker|celery|worker)$", re.IGNORECASE)
RESPONSES = re.compile(r"Response$")


class QueuedAnsweredOk(Rule):
    """Queued work is answered with 200 or 201.

    The client takes it for done. Answer 202 with a Location to ask at and Retry-After.
    """

    code = "ASYNC-1-202"
    nodes = FUNCTIONS
    needs = ((".post(", ".put(", ".patch(", ".delete(", ".api_route(", ".route("),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A writing route that says `queued`, or queues and says nothing, with a status other than 202."""
        if not isinstance(node, FUNCTIONS):
            return
        for decorator in node.decorator_list:
            writes = route_method(decorator) in ("post", "put", "patch", "delete")
            if (
                writes
                and isinstance(decorator, ast.Call)
                and not self._answers_202(decorator, node)
                and self._queues(node)
            ):
                yield self.finding(node)
                return

    def _answers_202(self, decorator: ast.Call, function: Function) -> bool:
        declared = keyword(decorator, "status_code")
        if declared is not None and self._status(declared) in (None, 202):
            return True
        for node in self.source.local(function):
            if isinstance(node, ast.Attribute) and node.attr == "status_code" and isinstance(node.ctx, ast.Store):
                assign = self.source.parents.get(node)
                return not isinstance(assign, ast.Assign) or self._status(assign.value) in (None, 202)
            if isinstance(node, ast.Call) and (
                RESPONSES.search(last_name(node.func)) or keyword(node, "status_code") is not None
            ):
                status = keyword(node, "status_code")
                if status is None and len(node.args) > 1:
                    status = node.args[1]
                if status is not None and self._status(status) in (None, 202):
                    return True
        made = self.resolver.made_by(decorator.func.value) if isinstance(decorator.func, ast.Attribute) else []
        defaults = [keyword(m, "default_status_code", "status_code") for m in made]
        return any(d is not None and self._status(d) == 202 for d in defaults)

    def _status(self, node: ast.expr) -> int | None:
        """The number of a status; None when source does not tell."""
        named = self.resolver.name(node)
        by_name = re.search(r"HTTP_(\d{3})_|HTTPStatus\.([A-Z_]+)$", named or ast.unparse(node))
        if by_name:
            return (
                int(by_name[1])
                if by_name[1]
                else {"OK": 200, "CREATED": 201, "ACCEPTED": 202, "NO_CONTENT": 204}.get(by_name[2], 200)
            )
        numbers = self.values.seconds(node)
        return int(numbers[0]) if numbers else None

    def _queues(self, function: Function) -> bool:
        for node in self.source.local(function):
            if isinstance(node, ast.Return) and node.value is not None and self._says_queued(node.value):
                return True
            if (
                isinstance(node, ast.Call)
                and self._enqueues(node)
                and (last_name(node.func) != "add_task" or self._answers_nothing(function))
            ):
                return True
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and self._fills_in(node):
                return True
        return False

    def _answers_nothing(self, function: Function) -> bool:
        """Whether a route returns no result of its own: what was asked for is then what runs in the background."""
        returns = [n.value for n in self.source.local(function) if isinstance(n, ast.Return) and n.value is not None]
        return all(UNKNOWN not in _flat(self.values.of(r)) or self._task_only(r) for r in returns)

    def _task_only(self, value: ast.expr) -> bool:
        """`{"task_id": task.id}`: a name for the work, and nothing about its result."""
        keys = [k.value for k in value.keys if isinstance(k, ast.Constant)] if isinstance(value, ast.Dict) else []
        return bool(keys) and all(
            isinstance(k, str) and k.endswith(("task_id", "job_id", "status", "message", "ok")) for k in keys
        )

    def _fills_in(self, target: ast.Subscript) -> bool:
        """`answer["status"] = "queued"`."""
        assign = self.source.parents.get(target)
        named = bool({"status", "state"} & set(self.values.texts(target.slice)))
        return named and isinstance(assign, ast.Assign) and self._is_queued(assign.value, SURE)

    def _enqueues(self, call: ast.Call) -> bool:
        name = last_name(call.func)
        if not ENQUEUES.match(name):
            return False
        if name in ("delay", "add_task"):
            return name == "delay" or not self._notifies(call)
        return True

    def _notifies(self, call: ast.Call) -> bool:
        """Mails and logs after the answer are not the work that was asked for."""
        return bool(call.args) and bool(
            re.search(r"(mail|log|notif|audit|metric|track|clean|event)", last_name(call.args[0]), re.IGNORECASE)
        )

    def _says_queued(self, value: ast.expr) -> bool:
        for call in (n for n in ast.walk(value) if isinstance(n, ast.Call)):
            if any(k.arg in ("status", "state") and self._is_queued(k.value, SURE) for k in call.keywords):
                return True
        for inner in (n for n in ast.walk(value) if isinstance(n, (ast.Dict, ast.Name, ast.Call))):
            for worth in self.values.of(inner):
                if not isinstance(worth, dict):
                    continue
                said = [str(worth.get(f)) for f in ("status", "state") if isinstance(worth.get(f), str)]
                names_task = any(isinstance(k, str) and k.endswith(("task_id", "job_id")) for k in worth)
                if any(SURE.match(s) or (names_task and QUEUED.match(s)) for s in said):
                    return True
        return False

    def _is_queued(self, node: ast.expr, pattern: re.Pattern[str]) -> bool:
        return any(pattern.match(t) for t in self.values.texts(node))


def _flat(values: list[object]) -> list[object]:
    return [item for value in values for item in (value.values() if isinstance(value, dict) else [value])]
