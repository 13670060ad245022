"""R-RES-FB-X2."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..fallbacks import Fallback, fallbacks, handed
from ..finding import Finding, Rule
from ..syntax import keyword, last_name

SUCCESS = re.compile(
    r"^(ok|okay|success|succeeded|successful|confirmed|completed|complete|done|approved|accepted|paid|sent|delivered|executed|processed|settled|issued|registered|booked|finished|applied|captured|created|saved|published|refunded|cancelled|shipped|charged|authorized|authorised|transferred|fulfilled|acknowledged|verified|synced|healthy|updated|recorded)$",
    re.IGNORECASE,
)
NOT_DONE = re.compile(
    r"(fail|reject|skip|cach|degrad|delay|defer|queu|cancel|block|clos|disabl|expir|retri|estimat|unverif|ignor|limit|need|schedul|postpon|stal|refus|timed|requir)"
)
ENDED = ("done", "finished", "complete", "completed", "processed", "closed")  # flags that end a loop
FIELDS = (
    "status",
    "state",
    "result",
    "ok",
    "success",
    "outcome",
    "is_success",
    "succeeded",
    "accepted",
    "delivered",
    "sent",
    "paid",
)
HARMLESS = re.compile(
    r"(Duplicate|AlreadyExists|Exists|Integrity|UniqueViolation|Conflict|NotFound|KeyError|ValueError|NoResult|Lookup|Import|Attribute|TypeError|Stop|Cancelled|ProcessLookup|DoesNotExist)"
)
AWAY = re.compile(
    r"(Unavailable|Time(d)?_?[Oo]ut|Connect|Transport|Network|HTTP|Http|Circuit|Breaker|Retry|Bulkhead|OSError|IOError|^Exception$|BaseException|Unreachable|Request|Client|Server|Port|External|Deadline|Throttl|Refused|Gateway|Service|Broken)"
)
ABSENT = re.compile(
    r"(^|_)(down|failed|unavailable|missing|absent|is_not|no|offline|broken|gone|timed_?out|closed|retry|retryable|transient|empty)(_|$)"
)


class SilentSuccess(Rule):
    """A fallback that reports success for what did not happen.

    The caller goes on as if it were done, and nothing ever does it. Answer 202 with a task, or a pending status, or raise the
    port's error.
    """

    code = "FB-X2"
    level = "warning"
    nodes = (*FUNCTIONS, ast.Call)
    needs = (("except", "suppress", "fallback", "Exception)", "retry_error_callback", "on_error"),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A success status, or True, where the error of an outbound call was caught."""
        if isinstance(node, ast.Call):
            for given in handed(node):
                if given.value is not None and self._success(given.value):
                    yield self.finding(given.node)
        elif isinstance(node, FUNCTIONS):
            for fallback in fallbacks(self.source, node):
                caught = fallback.caught.split(",")
                if (
                    fallback.value is None
                    or fallback.target.endswith("code")
                    or (fallback.caught and all(HARMLESS.search(c) for c in caught))
                ):
                    continue
                if self._success(fallback.value) or self._true(fallback, node) or self._answers_ok(fallback, node):
                    yield self.finding(fallback.node)

    def _answers_ok(self, fallback: Fallback, function: Function) -> bool:
        """`Response(status_code=200)` where the system was away."""
        call = fallback.value
        if (
            not isinstance(call, ast.Call)
            or not last_name(call.func).endswith("Response")
            or ABSENT.search(function.name)
        ):
            return False
        status = keyword(call, "status_code", "status")
        numbers = self.values.seconds(status) if status is not None else []
        named = self.resolver.name(status) if status is not None else ""
        ok = any(n in (200, 201, 204) for n in numbers) or named.endswith(
            ("HTTP_200_OK", "HTTP_201_CREATED", "HTTPStatus.OK")
        )
        return ok and bool(AWAY.search(fallback.caught))

    def _success(self, value: ast.expr, depth: int = 0) -> bool:
        if isinstance(value, ast.Await):
            return False
        if isinstance(value, ast.Call):
            return self._made(value, depth)
        if isinstance(value, ast.Tuple):
            return any(self._success(e, depth + 1) for e in value.elts) if depth < 3 else False
        if (
            isinstance(value, ast.Attribute)
            and value.attr in ("value", "name")
            and isinstance(value.value, ast.Attribute)
        ):
            value = value.value
        if isinstance(value, ast.Attribute):
            return bool(SUCCESS.match(value.attr)) and last_name(value.value) not in ("self", "cls", "response")
        for worth in self.values.of(value):
            if isinstance(worth, str) and SUCCESS.match(worth):
                return True
            if isinstance(worth, dict) and any(self._says_so(worth.get(f)) for f in FIELDS):
                return True
            if isinstance(worth, dict) and any(
                v is True and isinstance(k, str) and (SUCCESS.match(k) or (k.endswith("ed") and not NOT_DONE.search(k)))
                for k, v in worth.items()
            ):
                return True
        return False

    def _made(self, call: ast.Call, depth: int) -> bool:
        name = last_name(call.func)
        if any(isinstance(k.value, ast.Constant) and k.value.value is False for k in call.keywords):
            return False
        built = name[:1].isupper() and depth < 3
        if built and any(
            isinstance(a, ast.Attribute) and a.attr[:1].isupper() and self._success(a, depth + 1) for a in call.args
        ):
            return True
        if depth < 3 and any(
            k.arg in FIELDS and (self._success(k.value, depth + 1) or self.values.of(k.value) == [True])
            for k in call.keywords
        ):
            return True
        if depth < 3 and any(
            k.arg in ("json", "content", "body") and self._success(k.value, depth + 1) for k in call.keywords
        ):
            return True
        if depth < 3 and name in ("dict", "Response", "JSONResponse") and call.args:
            return self._success(call.args[0], depth + 1)
        first_upper = name[:1].isupper() or (
            isinstance(call.func, ast.Attribute) and last_name(call.func.value)[:1].isupper()
        )
        return first_upper and bool(SUCCESS.match(name))

    def _says_so(self, value: object) -> bool:
        return value is True or (isinstance(value, str) and bool(SUCCESS.match(value)))

    def _true(self, fallback: Fallback, function: Function) -> bool:
        if ABSENT.search(function.name) or self.values.of(fallback.value) != [True] or not AWAY.search(fallback.caught):
            return False
        if fallback.target:
            return fallback.target not in ENDED and (bool(SUCCESS.match(fallback.target)) or fallback.target in FIELDS)
        return fallback.returns and isinstance(function, ast.AsyncFunctionDef)
