"""The polling kit: what can be said without a database."""
