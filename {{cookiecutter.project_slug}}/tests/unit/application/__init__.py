"""Use cases, tasks and what follows them."""
