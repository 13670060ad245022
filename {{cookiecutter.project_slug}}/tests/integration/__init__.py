"""A real PostgreSQL, the simulator of the external systems, and the composed service."""
