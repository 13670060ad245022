"""One module per further task: its route."""
