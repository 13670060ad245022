"""The polling kit on a real PostgreSQL."""
