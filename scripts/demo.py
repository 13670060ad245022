"""`make demo`: bakes the default answers, runs the service for real and puts one of its systems out of order.

Sends 200 orders; in the middle the first external system fails for ten seconds. Prints what happened, leaves the
figures in build/demo/result.json, and exits 0 only if every order was accepted and completed, none of them twice.
"""

import json
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

from demo_service import BrokenDemoError, bake, running
from demo_traffic import Outage, Traffic

BUILD = Path(__file__).resolve().parents[1] / "build" / "demo"
ORDERS = 200
ORDERS_PER_S = 10.0
OUTAGE = Outage(begins_s=5.0, lasts_s=10.0)
SETTLE_LIMIT_S = 180.0  # an order that failed as a trial waits for its backoff; none should need half of this
RULE = "-" * 62


def say(text: str) -> None:
    """Prints at once: somebody is watching."""
    print(text, flush=True)


def table(result: dict[str, Any], effects: int) -> str:
    """Returns the figures for people."""
    before, outage = result["accept_ms"]["before"], result["accept_ms"]["outage"]
    rows = [
        ("orders accepted", f"{result['accepted']} of {ORDERS}"),
        ("orders completed", result["completed"]),
        ("orders failed", result["failed"]),
        ("orders lost", result["lost"]),
        ("effects at the system", effects),
        ("duplicate effects", result["duplicate_effects"]),
        ("submissions repeated under their key", result["repeated_keys"]),
        ("accepting, before the outage (p50 / p99)", f"{before['p50']} / {before['p99']} ms"),
        ("accepting, during the outage (p50 / p99)", f"{outage['p50']} / {outage['p99']} ms"),
        ("end of the outage to the last completion", f"{result['recovery_s']} s"),
    ]
    return "\n".join([RULE, *(f"{name:<42}{value!s:>20}" for name, value in rows), RULE])


def main() -> int:
    """Runs the demo; returns the exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # leave by the door: end what runs
    begin = time.monotonic()
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    try:
        say("baking the default answers ...")
        project = bake(BUILD)
        with running(project, BUILD / "service.log", say) as service:
            say(f"{project.name} runs after {time.monotonic() - begin:.0f} s; sending {ORDERS} orders ...")
            traffic = Traffic(service, ORDERS, ORDERS_PER_S, OUTAGE, say)
            traffic.send()
            traffic.settle(SETTLE_LIMIT_S)
            result, effects = traffic.result(), traffic.effects()
    except BrokenDemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    path = BUILD / "result.json"
    path.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    say(f"{table(result, effects)}\n{path}, after {time.monotonic() - begin:.0f} s")
    proven = result["accepted"] == result["completed"] == ORDERS and result["duplicate_effects"] == 0
    say("every order was carried out, and none of them twice" if proven else "NOT PROVEN: see the table")
    return 0 if proven else 1


if __name__ == "__main__":
    sys.exit(main())
