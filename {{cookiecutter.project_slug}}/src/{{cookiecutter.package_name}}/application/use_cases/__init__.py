"""One module per thing that a client may ask for."""
