"""The tests: `unit` without I/O, `integration` on PostgreSQL and the simulator, `faults` with things broken."""
