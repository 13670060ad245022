"""R-RES-FB-X1."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..fallbacks import Fallback, fallbacks, handed
from ..finding import Finding, Rule
from ..flow import reaching
from ..syntax import last_name

MONEY = re.compile(
    r"(^|_)(balance|price|amount|total|sum|subtotal|cost|fee|premium|tariff|payment|debt|salary|refund|discount|revenue|money|charge|commission|credit_limit|interest|tax|vat|payout|income|deposit|fare|quote|turnover|overdraft|price_rub|due_amount|rate|limit_amount|credit|wallet|bonus|cent|pence|kopeck|minor_unit)s?(_(rub|usd|eur|cents|minor|kopecks|value|due))?$"
)
COUNTED = re.compile(
    r"^(items|rows|results?|data|page|pages|count|entries|records|hits|size|limit|offset)$"
)  # `total` beside these is no money
MONEY_TYPE = re.compile(
    r"(Decimal|Money|Amount|Price|Balance|Cost|Fee|Rubles|Cents|Premium|Tariff|Payment|Total|Currency|Cash|Rouble|Euro|Dollar|Sum)$"
)
EMPTY_CALLS = {"zero", "empty", "nothing", "none"}
NOT_OUTBOUND = re.compile(
    r"(InvalidOperation|ValueError|TypeError|KeyError|IndexError|NoResultFound|DoesNotExist|NotFound|AttributeError|StopIteration)"
)


class EmptyMoney(Rule):
    """A fallback of zero, None or nothing for money.

    A balance of 0 that means "we could not ask" is booked, shown and decided upon. Raise the port's error, or answer with the last known
    value and its age; the kit's `Fallback` refuses money.
    """

    code = "FB-X1"
    level = "warning"
    nodes = (*FUNCTIONS, ast.Call)
    needs = (
        ("except", "suppress", "fallback", "Exception)", "retry_error_callback", "on_error"),
        (
            "Decimal",
            "Money",
            "balance",
            "price",
            "amount",
            "total",
            "sum",
            "cost",
            "fee",
            "premium",
            "money",
            "Amount",
            "Price",
            "payment",
            "cents",
            "Cash",
            "credit",
            "bonus",
            "tariff",
            "debt",
            "tax",
            "rate",
        ),
    )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Empty values returned or assigned where an error was caught, in functions that speak of money."""
        if isinstance(node, ast.Call):
            for given in handed(node):
                if given.value is not None and self._zero_money(given.value):
                    yield self.finding(given.node)
        elif isinstance(node, FUNCTIONS):
            by_type, by_name = self._speaks_of_money(node)
            told: set[int] = set()
            for fallback in fallbacks(self.source, node):
                line = getattr(fallback.node, "lineno", 0)
                if line not in told and self._is_empty_money(fallback, by_type, by_name):
                    told.add(line)
                    yield self.finding(fallback.node)

    def _is_empty_money(self, fallback: Fallback, by_type: bool, by_name: bool) -> bool:
        if all(NOT_OUTBOUND.search(c) for c in fallback.caught.split(",")):
            return False
        if not fallback.instead:
            last = fallback.value.values[-1] if isinstance(fallback.value, ast.BoolOp) else None
            return by_type and last is not None and self._zero_money(last)
        if fallback.returns and (by_type or by_name) and self._empty(fallback.value, fallback, strict=not by_type):
            return True
        if fallback.value is None:
            return False
        if self._zero_money(fallback.value) or self._holds_zero(fallback.value):
            return True
        named = bool(fallback.target) and bool(MONEY.search(fallback.target))
        return named and self._empty(fallback.value, fallback, strict=False)

    def _holds_zero(self, value: ast.expr) -> bool:
        """`Quote(price=Decimal(0))`, `{"balance": 0}`: money of nothing inside of something."""
        if isinstance(value, ast.Await):
            return False
        if isinstance(value, ast.Call):
            listed = any(COUNTED.match(k.arg or "") for k in value.keywords)
            return last_name(value.func)[:1].isupper() and any(
                k.arg is not None
                and MONEY.search(k.arg)
                and not (listed and k.arg == "total")
                and self._is_nothing(k.value)
                for k in value.keywords
            )
        return any(isinstance(w, dict) and self._names_money(w) for w in self.values.of(value))

    def _is_nothing(self, node: ast.expr) -> bool:
        if self._zero_money(node):
            return True
        return all(v is None or (not isinstance(v, bool) and self._is_zero(v)) for v in self.values.of(node))

    def _speaks_of_money(self, function: Function) -> tuple[bool, bool]:
        if function.returns is not None:
            named = [
                self.resolver.name(n) for n in ast.walk(function.returns) if isinstance(n, (ast.Name, ast.Attribute))
            ]
            for node in ast.walk(function.returns):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    named.extend(re.findall(r"[\w.]+", node.value))
            plain = {n.rpartition(".")[2] for n in named} <= {"int", "float", "Optional", "Union", "Any"}
            return any(MONEY_TYPE.search(n) for n in named), plain and bool(MONEY.search(function.name))
        return False, bool(MONEY.search(function.name))

    def _empty(self, value: ast.expr | None, fallback: Fallback, strict: bool) -> bool:
        if value is None:
            return fallback.returns
        if isinstance(value, ast.Call):
            if last_name(value.func).lower() in EMPTY_CALLS:
                return True
            if MONEY_TYPE.search(self.resolver.name(value.func)) and value.args:
                return self._empty(value.args[0], fallback, strict)
        if self._zero_money(value):
            return True
        if isinstance(value, ast.Tuple):
            return any(self._zero_money(e) for e in value.elts)
        if isinstance(value, (ast.Name, ast.Attribute)) and not self._plain(value):
            return False
        worth = self.values.of(value)
        if any(isinstance(w, dict) and self._names_money(w) for w in worth):
            return True
        return all(
            v is None
            or (isinstance(v, (int, float, str)) and not isinstance(v, bool) and self._nothing(v))
            or v in ((), {})
            for v in worth
        )

    def _names_money(self, value: dict[object, object]) -> bool:
        listed = any(isinstance(k, str) and COUNTED.match(k) for k in value)
        return any(
            isinstance(k, str) and MONEY.search(k) and not (listed and k == "total") and (v is None or self._is_zero(v))
            for k, v in value.items()
        )

    def _plain(self, name: ast.Name | ast.Attribute) -> bool:
        """A name whose bindings are values, not results of a call."""
        if isinstance(name, ast.Attribute):
            return not isinstance(name.value, ast.Name) or name.value.id not in ("self", "cls") or name.attr.isupper()
        return all(
            b.kind != "value" or not isinstance(b.value, ast.Await) for b in reaching(self.source, name.id, name)[:1]
        )

    def _nothing(self, value: float | str) -> bool:
        return value == 0 if isinstance(value, (int, float)) else value.strip() in ("", "0", "0.0", "0.00")

    def _zero_money(self, value: ast.expr, depth: int = 0) -> bool:
        """`Decimal(0)`, `Decimal("0.00")`, `Decimal()`, or a name for one."""
        function = (
            self.resolver.function_of(value.func) if isinstance(value, ast.Call) else self.resolver.function_of(value)
        )
        if function is not None and depth < 3:
            answers = [function.body] if isinstance(function, ast.Lambda) else self._answers(function)
            return bool(answers) and all(self._zero_money(a, depth + 1) for a in answers)
        for made in self.resolver.made_by(value):
            name = self.resolver.name(made.func)
            decimal = name in ("decimal.Decimal", "Decimal") or name.startswith("decimal.Decimal.")
            if decimal and (not made.args or all(self._is_zero(v) for v in self.values.of(made.args[0]))):
                return not (isinstance(value, ast.Name) and self._reassigned(value))
            if MONEY_TYPE.search(name) and made.args and made is not value and self._zero_money(made.args[0]):
                return True
        return False

    def _answers(self, function: Function) -> list[ast.expr]:
        returns = [n for n in self.source.local(function) if isinstance(n, ast.Return)]
        return [r.value for r in returns if r.value is not None]

    def _reassigned(self, name: ast.Name) -> bool:
        first = reaching(self.source, name.id, name)[:1]
        return bool(first) and first[0].kind == "grown"

    def _is_zero(self, value: object) -> bool:
        return isinstance(value, (int, float, str)) and self._nothing(value)
