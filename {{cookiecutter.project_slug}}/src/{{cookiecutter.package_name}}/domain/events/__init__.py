"""One module per task: how it can end."""
