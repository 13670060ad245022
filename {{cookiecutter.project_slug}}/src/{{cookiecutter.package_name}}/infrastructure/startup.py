"""Errors that stop the start, told in plain lines instead of a traceback."""


class StartError(Exception):
    """The service cannot start; every line of the message names what to change."""
