"""One module per task: what follows when it has ended."""
