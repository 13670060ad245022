"""No I/O, no waiting; fakes that obey the ports."""
