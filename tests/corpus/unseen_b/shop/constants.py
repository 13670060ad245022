"""Numbers and names used all over the shop."""
from datetime import timedelta

INDEX_LAG = 4.0
COOL_DOWN = timedelta(minutes=2)
HALF_MINUTE = 60 / 2
TICK = 0.2
GEO_BREAKER = "geo"
FINAL = frozenset({"done", "failed", "cancelled"})
DELAYS = {"fast": 1, "slow": 20}
