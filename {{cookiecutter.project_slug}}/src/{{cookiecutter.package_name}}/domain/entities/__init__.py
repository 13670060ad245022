"""One module per aggregate: the things that keep their identity while their tasks go on."""
