"""Pauses used by the background jobs, in seconds."""
from datetime import timedelta

SHORT_PAUSE = 0.5
WARMUP_PAUSE = 45
NIGHTLY_GAP = timedelta(minutes=15)
SETTLE_STEPS = (2, 10, 30)
