"""R-RES-ASYNC-1, the answer to queued work."""

import ast
import re
from collections.abc import Iterator

from ..arithmetic import UNKNOWN
from ..binding import FUNCTIONS, Function
from ..clients import WRITES
from ..finding import Finding, Rule
from ..roles import route_method
from ..syntax import keyword, last_name

QUEUED = re.compile(
    r"^(queued|accepted|pending|enqueued|scheduled|submitted|processing|in_progress|in progress|started|running|deferred|received|created|waiting)$",
    re.IGNORECASE,
)
SURE = re.compile(r"^(queued|accepted|enqueued|scheduled|deferred)$", re.IGNORECASE)
SAYS = re.compile(
    r"\b(en)?queued\b|\bscheduled\b|\b(accepted|submitted) for\b|\bwill be (processed|handled|sent|executed)|\bin the background\b"
    r"|\bis being processed\b|\b(job|task|processing|export|import|report)( has)?( been)? (started|accepted|submitted)\b",
    re.IGNORECASE,
)
MODELS = re.compile(r"(Accepted|Queued|Enqueued|Scheduled)(Response|Out|Answer|Dto|Result)?$")
ENQUEUES = re.compile(
    r"^(enqueue\w*|add_task|apply_async|send_task|queue_task|queue_job|delay|defer|defer_async|kiq|submit_job|submit_task|schedule_task|schedule_job|add_job|put_job|push_job|start_task|start_job|run_in_background)$"
)
MAYBE = re.compile(
    r"^(put|put_nowait|publish|publish_message|send_message|send_and_wait|produce|lpush|rpush|xadd|zadd|create_task|ensure_future|start_soon|spawn|send|schedule|submit|push|dispatch|emit|run_job|basic_publish|add)$"
)
MAYBE_TO = re.compile(
    r"(queue|jobs?|tasks?|broker|producer|publisher|redis|kafka|rabbit|sqs|bus|channel|exchange|scheduler|worker|runner|asyncio|group|tg|outbox|background\w*)$",
    re.IGNORECASE,
)
TEXT_FIELDS = ("message", "detail", "msg", "info", "description")
STATUS_FIELDS = ("status", "state", "result")
NAMES_WORK = (
    "task_id",
    "job_id",
    "operation_id",
    "taskId",
    "jobId",
    "operationId",
    "request_id",
    "run_id",
    "task",
    "job",
    "ticket",
)
REGISTERS = ("add_api_route", "add_route", "Route")
RESPONSES = re.compile(r"Response$")


class QueuedAnsweredOk(Rule):
    """Queued work is answered with 200 or 201.

    The client takes it for done. Answer 202 with a Location to ask at and Retry-After.
    """

    code = "ASYNC-1-202"
    nodes = FUNCTIONS
    needs = (
        (".post(", ".put(", ".patch(", ".delete(", ".api_route(", ".route(", "add_api_route", "add_route", "Route("),
    )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A writing route that says `queued`, or queues and says nothing, with a status other than 202."""
        if not isinstance(node, FUNCTIONS):
            return
        for decorator in self._routes(node):
            if not self._answers_202(decorator, node) and self._queues(node):
                yield self.finding(node)
                return

    def _routes(self, function: Function) -> Iterator[ast.Call]:
        """The decorators and calls that make a function a writing route."""
        for decorator in function.decorator_list:
            if isinstance(decorator, ast.Call) and route_method(decorator) in WRITES:
                yield decorator
        if any(name in self.source.calls_by_name for name in REGISTERS):
            for call in self.resolver.given_to(function):
                methods = keyword(call, "methods")
                named = {
                    t.lower() for v in self.values.of(methods) if isinstance(v, tuple) for t in v if isinstance(t, str)
                }
                if last_name(call.func) in REGISTERS and named & WRITES:
                    yield call

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
        maybe = False
        for node in self.source.local(function):
            if isinstance(node, ast.Return) and node.value is not None and self._says_queued(node.value):
                return True
            if isinstance(node, ast.Call):
                if self._enqueues(node) and (last_name(node.func) != "add_task" or self._answers_nothing(function)):
                    return True
                maybe = maybe or self._may_enqueue(node)
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and self._fills_in(node):
                return True
        return maybe and self._answers_for_work(function)

    def _answers_nothing(self, function: Function) -> bool:
        """Whether a route returns no result of its own: what was asked for is then what runs in the background."""
        returns = [n.value for n in self.source.local(function) if isinstance(n, ast.Return) and n.value is not None]
        return all(UNKNOWN not in _flat(self.values.of(r)) or self._task_only(r) for r in returns)

    def _answers_for_work(self, function: Function) -> bool:
        """Whether every answer only names the work, or says that it is under way."""
        returns = [n.value for n in self.source.local(function) if isinstance(n, ast.Return) and n.value is not None]
        return bool(returns) and all(self._task_only(r) or self._under_way(r) for r in returns)

    def _under_way(self, value: ast.expr) -> bool:
        """`{"status": "processing", "id": 1}`."""
        said = [str(w.get(f, "")) for w in self.values.of(value) if isinstance(w, dict) for f in STATUS_FIELDS]
        return any(QUEUED.match(s) for s in said)

    def _task_only(self, value: ast.expr) -> bool:
        """`{"task_id": task.id}`: a name for the work, and nothing about its result."""
        if isinstance(value, ast.Call):
            keys: list[object] = [k.arg for k in value.keywords]
            whole = not value.args
        else:
            keys = [k.value for k in value.keys if isinstance(k, ast.Constant)] if isinstance(value, ast.Dict) else []
            whole = True
        named = [k for k in keys if isinstance(k, str)]
        plain = (*NAMES_WORK, *STATUS_FIELDS, *TEXT_FIELDS, "ok", "success")
        return whole and bool(named) and all(k in plain or k.endswith(("task_id", "job_id")) for k in named)

    def _may_enqueue(self, call: ast.Call) -> bool:
        """`queue.put(job)`, `asyncio.create_task(work())`: it is the answer that tells."""
        if not MAYBE.match(last_name(call.func)):
            return False
        if not isinstance(call.func, ast.Attribute):
            return self.resolver.name(call.func) in ("asyncio.create_task", "asyncio.ensure_future")
        return bool(MAYBE_TO.search(last_name(call.func.value))) and not self._notifies(call)

    def _fills_in(self, target: ast.Subscript) -> bool:
        """`answer["status"] = "queued"`."""
        assign = self.source.parents.get(target)
        named = bool({"status", "state"} & set(self.values.texts(target.slice)))
        return named and isinstance(assign, ast.Assign) and self._is_queued(assign.value, SURE)

    def _enqueues(self, call: ast.Call) -> bool:
        name = last_name(call.func)
        if not ENQUEUES.match(name) or not isinstance(call.func, (ast.Attribute, ast.Name)):
            return False
        return name != "add_task" or not self._notifies(call)

    def _notifies(self, call: ast.Call) -> bool:
        """Mails and logs after the answer are not the work that was asked for."""
        return bool(call.args) and bool(
            re.search(r"(mail|log|notif|audit|metric|track|clean|event)", last_name(call.args[0]), re.IGNORECASE)
        )

    def _says_queued(self, value: ast.expr) -> bool:
        for call in (n for n in ast.walk(value) if isinstance(n, ast.Call)):
            given = {k.arg: k.value for k in call.keywords if k.arg}
            if any(self._is_queued(given[f], SURE) for f in STATUS_FIELDS if f in given):
                return True
            names_task = any(k.endswith(("task_id", "job_id", "operation_id")) for k in given)
            if names_task and any(self._is_queued(given[f], QUEUED) for f in STATUS_FIELDS if f in given):
                return True
            if MODELS.search(last_name(call.func)) or any(self._tells(given[f]) for f in TEXT_FIELDS if f in given):
                return True
        for inner in (n for n in ast.walk(value) if isinstance(n, (ast.Dict, ast.Name, ast.Call))):
            if any(isinstance(w, dict) and self._dict_says(w) for w in self.values.of(inner)):
                return True
        return any(self._dict_display_says(n) for n in ast.walk(value) if isinstance(n, ast.Dict))

    def _dict_says(self, worth: dict[object, object]) -> bool:
        said = [str(worth.get(f)) for f in STATUS_FIELDS if isinstance(worth.get(f), str)]
        names_task = any(isinstance(k, str) and k.endswith(("task_id", "job_id", "operation_id")) for k in worth)
        told = any(SAYS.search(str(worth[f])) for f in TEXT_FIELDS if isinstance(worth.get(f), str))
        return told or any(SURE.match(s) or (names_task and QUEUED.match(s)) for s in said)

    def _dict_display_says(self, node: ast.Dict) -> bool:
        """`{"status": Status.QUEUED}`."""
        pairs = [(k.value, v) for k, v in zip(node.keys, node.values, strict=True) if isinstance(k, ast.Constant)]
        names_task = any(isinstance(k, str) and k.endswith(("task_id", "job_id", "operation_id")) for k, _ in pairs)
        return any(k in STATUS_FIELDS and self._is_queued(v, QUEUED if names_task else SURE) for k, v in pairs)

    def _tells(self, node: ast.expr) -> bool:
        return any(SAYS.search(t) for t in self.values.texts(node))

    def _is_queued(self, node: ast.expr, pattern: re.Pattern[str]) -> bool:
        """A text, or the member of an enumeration that is called so."""
        if any(pattern.match(t) for t in self.values.texts(node)):
            return True
        member = node.value if isinstance(node, ast.Attribute) and node.attr in ("value", "name") else node
        return isinstance(member, ast.Attribute) and member.attr[:1].isupper() and bool(pattern.match(member.attr))


def _flat(values: list[object]) -> list[object]:
    return [item for value in values for item in (value.values() if isinstance(value, dict) else [value])]
