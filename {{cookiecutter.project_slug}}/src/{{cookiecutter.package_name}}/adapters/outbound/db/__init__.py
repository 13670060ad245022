"""Tables and repositories. No breaker, no retry here: this is local work (R-RES-WHERE-X1)."""
