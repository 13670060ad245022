"""What the guard around a call costs.

Thresholds: without retry at most 1.05 of an unguarded call on plain httpx; with all of it, on aiohttp's transport, at
most 0.6 of that; a refusal by an open breaker under 20 us. Raw rounds go to resilience_cost.json.
"""

import sys

from resilience_rig import run

if __name__ == "__main__":
    sys.exit(run("cost"))
