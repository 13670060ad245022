"""One module per aggregate: its table and its repository."""
