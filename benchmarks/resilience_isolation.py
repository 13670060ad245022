"""What one hanging system costs its neighbour.

Thresholds: the healthy system keeps at least 0.9 of its throughput, and its p99 stays within 1.5 times. Raw rounds go
to resilience_isolation.json.
"""

import sys

from resilience_rig import run

if __name__ == "__main__":
    sys.exit(run("isolation"))
