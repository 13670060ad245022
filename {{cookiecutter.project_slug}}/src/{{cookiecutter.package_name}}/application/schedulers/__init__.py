"""One module per task: what is done with a row that a poller has claimed (R-RES-ASYNC-1)."""
