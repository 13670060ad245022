"""One planted line per rule, and what lies close to it and is right: the checker of this service is awake."""

from pathlib import Path

import pytest

from rules.checker import Target, check
from rules.registry import rules_of

ADAPTER = "svc/adapters/outbound/crm/adapter.py"
HANDLER = "svc/adapters/inbound/http/orders.py"
REPOSITORY = "svc/adapters/outbound/db/orders.py"

BROKEN = [
    (
        "ASYNC-X1",
        HANDLER,
        "import asyncio\nasync def f(port):\n    while not await port.ready():\n        await asyncio.sleep(1)",
        4,
    ),
    (
        "ASYNC-X2",
        "svc/jobs.py",
        "from asyncio import sleep as nap\nLONG = 2 * 30\nasync def f():\n    await nap(LONG)",
        4,
    ),
    ("ASYNC-2", ADAPTER, "import asyncio\nclass A:\n    async def f(self):\n        await asyncio.sleep(3)", 4),
    ("ASYNC-3", ADAPTER, "import httpx\nasync def f(c: httpx.AsyncClient):\n    return await c.get('/x')", 3),
    ("ISO-X1", "svc/build.py", "def f(client):\n    return SberAdapter(client), (\n        CrmAdapter(client))", 3),
    ("ISO-X2", "svc/build.py", "import httpx\nclient = httpx.AsyncClient(timeout=t)", 2),
    (
        "WHERE-X1",
        REPOSITORY,
        "from tenacity import retry\nclass R:\n    @retry(wait=w(), retry=r())\n    def f(self): ...",
        3,
    ),
    (
        "CB-X2",
        "svc/own.py",
        "class Breaker:\n    failures = 0\n    def failed(self):\n        self.failures += 1",
        1,
    ),
    ("CB-X3", "svc/own.py", "from aiobreaker import CircuitBreaker\nb = CircuitBreaker()", 2),
    (
        "RE-X1",
        ADAPTER,
        "from stamina import retry\n@retry(on=OSError)\nasync def f(client):\n    return await client.post('/x', json={})",
        4,
    ),
    ("RE-X2", ADAPTER, "import stamina\n@stamina.retry(on=Exception)\nasync def f(): ...", 2),
    ("RE-X3", ADAPTER, "import tenacity\n@tenacity.retry\nasync def f(): ...", 2),
    ("RE-X4", ADAPTER, "import httpx\nt = httpx.AsyncHTTPTransport(retries=2)", 2),
    ("BH-X1", ADAPTER, "import asyncio\nasync def f(c):\n    await asyncio.to_thread(asyncio.run, c())", 3),
    (
        "FB-X1",
        ADAPTER,
        "from decimal import Decimal\nasync def f() -> Decimal:\n    try:\n        return await g()\n    except OSError:\n"
        "        return Decimal(0)",
        6,
    ),
    (
        "FB-X2",
        ADAPTER,
        "async def f():\n    try:\n        return await g()\n    except OSError:\n        return Status.PAID",
        5,
    ),
    ("CFG-X1", ADAPTER, "import asyncio\ngate = asyncio.Semaphore(10)", 2),
    ("TO-X1", ADAPTER, "import requests\ndef f():\n    return requests.get('https://crm/x')", 3),
    (
        "OAS-X2",
        ADAPTER,
        "async def call(system: str, path: str):\n    return await clients[system].get(path)",
        1,
    ),
    ("OAS-X1", "svc/adapters/outbound/crm/generated/api.py", "import tenacity", 1),
    ("OAS-X3", "svc/application/use_cases/f.py", "from svc.adapters.outbound.crm.generated import Dto", 1),
    (
        "HC-X2",
        "svc/adapters/outbound/crm/health.py",
        "class Probe:\n    async def f(self):\n        await self.client.post(u)",
        3,
    ),
    (
        "ASYNC-1-SQL",
        REPOSITORY,
        "def f(s):\n    s.execute(\"SELECT id FROM order_task WHERE status = 'PENDING' LIMIT 5 FOR UPDATE\")",
        2,
    ),
    ("ASYNC-1-202", HANDLER, "@router.post('/x')\nasync def f():\n    return {'status': 'queued'}", 2),
    (
        "ASYNC-1-MAX",
        "svc/jobs.py",
        "async def f(port):\n    while True:\n        if await port.get_status() == 'done':\n            return",
        2,
    ),
]
RIGHT = [
    (HANDLER, "import asyncio\nasync def f():\n    await asyncio.sleep(0.1)"),
    (
        "svc/jobs.py",
        "import asyncio\nasync def f(stop, s):\n    while not stop.is_set():\n        await asyncio.sleep(s.pause)",
    ),
    (
        ADAPTER,
        "import asyncio, httpx\nasync def f(c: httpx.AsyncClient, s):\n    async with asyncio.timeout(s.t):\n        return await c.get('/x')",
    ),
    ("svc/build.py", "import httpx\nclient = httpx.AsyncClient(timeout=s.t, limits=s.l)"),
    ("svc/build.py", "def f(clock):\n    return SberAdapter(clock), CrmAdapter(clock)"),
    (ADAPTER, "import asyncio\nlock = asyncio.Semaphore(1)"),
    (
        "tests/unit/test_f.py",
        "import asyncio\nasync def test_f():\n    for _ in range(9):\n        await asyncio.sleep(10)",
    ),
    (HANDLER, "@router.post('/x', status_code=202)\nasync def f():\n    return {'status': 'queued'}"),
]


def found(path: str, text: str) -> list[tuple[str, int]]:
    """Return code and line of every finding in a file of that path."""
    parts = tuple(path.split("/"))
    target = Target(Path("/nowhere", path), path, parts, in_tests="tests" in parts[:-1])
    return [(f.code, f.line) for f in check(target, text.encode(), rules_of([])).findings]


@pytest.mark.parametrize(("code", "path", "text", "line"), BROKEN, ids=[b[0] for b in BROKEN])
def test_a_broken_rule_is_found_at_its_line(code: str, path: str, text: str, line: int) -> None:
    assert (code, line) in found(path, text)


@pytest.mark.parametrize(("path", "text"), RIGHT)
def test_what_is_right_is_left_alone(path: str, text: str) -> None:
    assert found(path, text) == []


@pytest.mark.parametrize(("path", "expected"), [("/places/" + "{place}", []), ("/plans", [("OAS-2", 2)])])
def test_what_is_sent_is_in_the_document_beside_the_adapter(
    tmp_path: Path, path: str, expected: list[tuple[str, int]]
) -> None:
    """R-RES-OAS-2."""
    folder = tmp_path / "adapters" / "outbound" / "maps"
    (folder / "openapi").mkdir(parents=True)
    (folder / "openapi" / "maps.yaml").write_text("paths:\n  /places/{id}:\n    get: {}\n", encoding="utf-8")
    text = f"async def f(call, place):\n    return await call.get(f'{path}')"
    target = Target(folder / "adapter.py", "adapter.py", ("adapters", "outbound", "maps", "adapter.py"), in_tests=False)

    assert [(f.code, f.line) for f in check(target, text.encode(), rules_of([])).findings] == expected


@pytest.mark.parametrize(
    ("code", "text", "exempt"),
    [
        ("ASYNC-X2", "import asyncio\nasync def f():\n    await asyncio.sleep(60)", True),
        ("CFG-X1", "import asyncio\nasync def f():\n    async with asyncio.timeout(5):\n        pass", False),
        ("ISO-X2", "import httpx\nclient = httpx.AsyncClient()", False),
        ("ASYNC-3", "import httpx\nasync def f(c: httpx.AsyncClient):\n    await c.get('/x')", False),
    ],
)
def test_folders_named_tests_are_exempt_from_the_sleep_rules_and_no_other(code: str, text: str, exempt: bool) -> None:
    assert (code in {c for c, _ in found("svc/tests/unit/test_f.py", text)}) is not exempt
    assert code in {c for c, _ in found("svc/unit/test_f.py", text)}


def test_every_rule_has_a_case_here() -> None:
    assert {r.code for r in rules_of([])} == {*(b[0] for b in BROKEN), "OAS-2"}
