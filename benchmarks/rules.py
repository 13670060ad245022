"""Measures how long the rule checker takes, cold: a service with 50 systems, and one generated file of 14,000 lines.

Each round is a run of the command with no cache, start of the interpreter included. The median counts. Raw rounds go to
benchmarks/rules.json, with the processor time of each and the load of the machine: a busy one slows every round.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parents[1]
RULES = TEMPLATE / "{{cookiecutter.project_slug}}" / "rules"
BUILD = TEMPLATE / "build"
RESULT = TEMPLATE / "benchmarks" / "rules.json"
ROUNDS = 7
MAX_SERVICE_S = 1.0  # beyond, nobody leaves it in pre-commit
MAX_FILE_S = 2.0
LINES = 14_000
SYSTEMS = 50
METHOD = '''
    async def operation_{n}(self, operation_id: str, *, page: int = {n}, body: Body | None = None) -> Operation{n}:
        """Calls operation {n}."""
        headers = {{"X-Operation": "{n}", **self._headers}}
        params = {{"page": page, "id": operation_id}} if operation_id else {{}}
        for name in ("a", "b", "c"):
            if name in params:
                params[name] = str(params[name]).strip() + "-" + name
        path = f"/operations/{{operation_id}}/{n}"
        response = await self._transport.call("GET", path, params=params, headers=headers)
        if response.status_code >= 400:
            raise ApiError(response.status_code, response.text)
        return Operation{n}.model_validate(response.json())
'''
MODEL = """
class Operation{n}(BaseModel):
    id: str
    amount: Decimal = Decimal("0.{n}")
    tags: list[str] = Field(default_factory=list, max_length={n})
"""


def bake(folder: Path) -> Path:
    """Renders a service with fifty systems and a task on each; returns its source folder."""
    config = folder / "config.yaml"
    config.write_text(f"cookiecutters_dir: {folder}/clones\nreplay_dir: {folder}/replay\n", encoding="utf-8")
    systems = [f"system{number}" for number in range(SYSTEMS)]
    tasks = [f"thing{number}_check@{system}" for number, system in enumerate(systems)]
    command = [sys.executable, "-m", "cookiecutter", str(TEMPLATE), "--no-input", "--output-dir", str(folder / "out")]
    answers = [f"external_systems={','.join(systems)}", f"tasks={','.join(tasks)}"]
    subprocess.run([*command, "--config-file", str(config), *answers], check=True, stdout=subprocess.DEVNULL)
    return next((folder / "out").iterdir()) / "src"


def generated(folder: Path) -> Path:
    """Writes one file as a generator of API clients writes it: models, and a class with a method per operation."""
    count = LINES // (METHOD.count("\n") + MODEL.count("\n"))
    models = "".join(MODEL.format(n=n) for n in range(count))
    methods = "".join(METHOD.format(n=n) for n in range(count))
    head = "from decimal import Decimal\nfrom pydantic import BaseModel, Field\n"
    init = "\nclass Api:\n    def __init__(self, transport):\n        self._transport = transport\n"
    path = folder / "generated" / "api.py"
    path.parent.mkdir()
    path.write_text(f"{head}{models}{init}{methods}", encoding="utf-8")
    return path


def check_s(tree: Path) -> tuple[float, float]:
    """Returns seconds by the clock and of the processors of one run that knows nothing from earlier ones."""
    command = [sys.executable, str(RULES), "--no-cache", str(tree)]
    before, begin = os.times(), time.perf_counter()
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    seconds, after = time.perf_counter() - begin, os.times()
    if done.returncode:
        raise SystemExit(f"the checker found something where nothing is:\n{done.stdout}{done.stderr}")
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return round(seconds, 3), round(used, 3)


def main() -> int:
    """Runs the rounds, writes and prints them; exits non-zero when a limit is missed."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        load = round(os.getloadavg()[0], 2)
        service, one_file = bake(Path(folder)), generated(Path(folder))
        trees = {"service": service, "file": one_file}
        rounds = {name: [check_s(tree) for _ in range(ROUNDS)] for name, tree in trees.items()}
        sizes = {
            "service_files": sum(1 for _ in service.rglob("*.py")),
            "file_lines": one_file.read_text(encoding="utf-8").count("\n"),
        }
    median = {name: statistics.median(seconds for seconds, _ in runs) for name, runs in rounds.items()}
    missed = [name for name, limit in (("service", MAX_SERVICE_S), ("file", MAX_FILE_S)) if median[name] > limit]
    result = {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "commit": revision(),
        "load": load,
        **sizes,
        "rounds_s": {name: [seconds for seconds, _ in runs] for name, runs in rounds.items()},
        "processor_s": {name: [used for _, used in runs] for name, runs in rounds.items()},
        "median_s": median,
        "max_s": {"service": MAX_SERVICE_S, "file": MAX_FILE_S},
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))
    return 1 if missed else 0


def revision() -> str:
    """Returns the commit that was measured, with a plus where the tree has changes."""
    command = ["git", "-C", str(TEMPLATE), "describe", "--always", "--dirty=+"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


if __name__ == "__main__":
    raise SystemExit(main())
