"""POST to 202: one process of the service with ROLE=api, as shipped, against a bare FastAPI and asyncpg insert.

`python benchmarks/queue_accept.py`; raw rounds go to queue_accept.json. ROUNDS=1 for a quick look. Needs wrk.
"""

import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from queue_load import PAYLOAD
from queue_report import Report, Series, Threshold, rounds_from_environment
from queue_rig import HERE, PACKAGE, Rig, clean_environment, enter, running_rig, service_environment

ROUNDS = 5
CONNECTIONS = 16
DURATION_S = 5
WARM_UP_S = 1
START_LIMIT_S = 30.0

BODY = json.dumps({"payload": PAYLOAD})
PLAIN = f"""
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{BODY}'
"""
KEYED = (
    PLAIN
    + """
math.randomseed(os.time())
local run, number = math.random(1000000000), 0
request = function()
  number = number + 1
  wrk.headers["Idempotency-Key"] = run .. "-" .. number
  return wrk.format()
end
"""
)
RATE = re.compile(r"Requests/sec:\s+([\d.]+)")
LATENCY = re.compile(r"(50|99)%\s+([\d.]+)(us|ms|s)")
MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0}

SERVICE, BARE = Series("service", "accept"), Series("bare", "accept")
THRESHOLDS = (
    Threshold("POST to 202, of a bare insert", value=SERVICE, of=BARE, limit=0.6),
    Threshold("the same with an idempotency key", value=Series("service", "accept_keyed"), of=BARE, limit=0.5),
)


def main() -> int:
    """Run the rounds; exits non-zero when a threshold is missed."""
    if shutil.which("wrk") is None:
        print("skipped: the accept benchmark needs wrk (apt install wrk, brew install wrk)")
        return 0
    enter()
    report = Report("queue_accept", THRESHOLDS)
    with running_rig() as rig:
        for number in range(1, rounds_from_environment(ROUNDS) + 1):
            for contender, test in (("bare", "accept"), ("service", "accept"), ("service", "accept_keyed")):
                report.add(number, contender, test, _measure(rig, contender, test))
        report.add(number, "sleep_loop", "accept", _measure(rig, "sleep_loop", "accept"))
    return report.finish()


def _measure(rig: Rig, contender: str, test: str) -> dict[str, float]:
    port = _free_port()
    with rig.database() as url:
        if contender == "service":
            command = [sys.executable, "-m", PACKAGE]
            environment = service_environment(url, ROLE="api", HTTP__PORT=str(port), HTTP__MANAGEMENT_PORT="0")
        else:
            command = [sys.executable, str(HERE / "queue_bare.py"), contender, url, str(port)]
            environment = clean_environment()
        with _running(command, environment, port), tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "post.lua")
            script.write_text(KEYED if test == "accept_keyed" else PLAIN, encoding="utf-8")
            _wrk(script, port, WARM_UP_S)
            return _wrk(script, port, DURATION_S)


@contextmanager
def _running(command: Sequence[str], environment: dict[str, str], port: int) -> Iterator[None]:
    """Run a server; its log goes to a file, as a pod's does."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait_for(port, process)
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    give_up = time.monotonic() + START_LIMIT_S
    while time.monotonic() < give_up and process.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
        try:
            connection.request("GET", "/")
            connection.getresponse()
        except OSError:
            time.sleep(0.05)
        else:
            return
        finally:
            connection.close()
    raise TimeoutError(f"nobody listens on port {port} (exit code {process.poll()})")


def _wrk(script: Path, port: int, duration_s: int) -> dict[str, float]:
    """Load the route; any answer that is no 202, and any broken connection, makes the measurement worthless."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{duration_s}s", "--latency", "--timeout", "10s"]
    command += ["-s", str(script), f"http://127.0.0.1:{port}/orders"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=duration_s + 30)
    rate = RATE.search(done.stdout)
    if rate is None or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
        raise ValueError(done.stdout)
    shares = {f"p{share}_ms": float(value) * MILLISECONDS[unit] for share, value, unit in LATENCY.findall(done.stdout)}
    return {"rate": float(rate[1]), **shares}


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
