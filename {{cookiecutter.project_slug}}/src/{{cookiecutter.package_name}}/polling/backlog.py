"""The cap on what may wait: a cheap count that is looked up now and then, not once per request."""

import time

from sqlalchemy import Table

from .database import Database
from .errors import BacklogFullError
from .identifiers import statement, task_names

REFRESH_S = 2.0
"""Between counts: at a thousand posts a second the cap is exact to some thousand rows of a hundred thousand."""

RETRY_AFTER_S = 5.0
"""What a turned-away client waits at least; a full backlog takes longer to work off than this."""

COUNT = "SELECT count(*) AS open FROM (SELECT FROM $task_table WHERE $open LIMIT CAST(:cap AS bigint)) AS o"
"""The limit bounds the cost of counting a backlog that has run away."""


class Backlog:
    """How many rows of one task are open, as far as this process knows."""

    def __init__(self, database: Database, table: Table, cap: int) -> None:
        self._count = statement(COUNT, task_names(table))
        self._database = database
        self._cap = cap
        self._open = 0
        self._due = 0.0

    async def admit(self) -> None:
        """Take one more in.

        Raises:
            BacklogFullError: the cap is reached.
            DatabaseUnavailableError: it was time to count, and that failed.
        """
        now = time.monotonic()
        if now >= self._due:
            self._due = now + REFRESH_S  # set first: one request counts, the others go on with the last number
            try:
                self._open = (await self._database.rows(self._count, {"cap": self._cap}))[0].open
            except BaseException:
                self._due = 0.0
                raise
        if self._open >= self._cap:
            raise BacklogFullError(retry_after_s=RETRY_AFTER_S)
        self._open += 1
