"""The public HTTP API: routes per aggregate and task, one shape of error for all of them (RFC 9457)."""
