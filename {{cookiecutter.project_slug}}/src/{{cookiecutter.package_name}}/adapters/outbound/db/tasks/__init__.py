"""One module per task: its table, and for a further task of an aggregate what queues it."""
