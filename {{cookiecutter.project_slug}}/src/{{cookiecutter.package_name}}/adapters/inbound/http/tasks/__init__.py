"""One module per further task of an aggregate: its route."""
