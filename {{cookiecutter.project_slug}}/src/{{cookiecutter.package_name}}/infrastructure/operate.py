"""`tasks ...`: the operators' commands of the queue, on the database of this process."""

from collections.abc import Sequence

from ..polling import cli
from ..polling.database import open_database
from .configuration import load_database_configuration
from .graph import load_graph


async def operate(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; neither systems nor pollers are opened.

    Raises:
        StartError: `DATABASE_URL` is missing, or a setting of database or queue is impossible.
        DiscoveryError: the tasks do not fit together.
    """
    configuration = load_database_configuration()
    tables = [task.table for task in load_graph().tasks]
    async with open_database(configuration.url, configuration.database) as database:
        return await cli.main(arguments, database, tables, configuration.polling)
