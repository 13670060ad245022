"""Launcher and embedded PostgreSQL, killed, interrupted and side by side."""
