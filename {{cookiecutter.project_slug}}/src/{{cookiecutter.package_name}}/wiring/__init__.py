"""Which adapter fills which port. The only place that knows everybody; mypy checks every constructor call."""
