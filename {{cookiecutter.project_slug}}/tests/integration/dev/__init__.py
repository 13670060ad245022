"""Tests of the simulator: its contract, its faults, its counters."""
