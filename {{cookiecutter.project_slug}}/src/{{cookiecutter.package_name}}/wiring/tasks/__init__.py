"""One module per task, each exporting `TASK`."""
