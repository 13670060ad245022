"""The command line: run the service, migrate, or look after tasks."""

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from .configuration import load_configuration, load_database_configuration
from .discovery import DiscoveryError
from .migrate import DEFAULT_FOLDER, upgrade
from .operate import operate
from .process import bind_sockets, run
from .startup import StartError
from .telemetry import configure_logging

logger = logging.getLogger(__name__)

USAGE = "usage: python -m {package} [run | migrate | tasks ...]"
BAD_USAGE = 2


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code. Errors of the start are plain lines on standard error."""
    command, *rest = arguments or ["run"]
    try:
        match command, rest:
            case "run", []:
                return _run()
            case "migrate", []:
                upgrade(load_database_configuration().url, Path(os.environ.get("MIGRATIONS_DIR", DEFAULT_FOLDER)))
                return 0
            case "tasks", _:
                return asyncio.run(operate(rest))
    except (StartError, DiscoveryError) as error:
        print(f"cannot start: {error}", file=sys.stderr)
        return 1
    print(USAGE.format(package=__package__.partition(".")[0]), file=sys.stderr)
    return BAD_USAGE


def _run() -> int:
    configuration = load_configuration()
    configure_logging(configuration.process.log_level)
    for variable in configuration.strangers:
        logger.warning("settings.unknown_system", extra={"variable": variable})
    with bind_sockets(configuration) as sockets:
        asyncio.run(run(configuration, sockets))
    return 0
