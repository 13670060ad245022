"""One module per aggregate: its routes."""
