"""Whom we ask: one folder per external system, and `db`."""
