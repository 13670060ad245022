from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from festival.gateways.badges import printer_breaker

_COLUMNS = ", ".join(["id", "kind", "payload"])


class TaskStore:
    def __init__(self, connection: AsyncConnection) -> None:
        self._c = connection

    async def pick(self, n: int):
        sql = "SELECT {} FROM print_task WHERE status = 'PENDING' LIMIT :n FOR UPDATE".format(_COLUMNS)
        return (await self._c.execute(text(sql), {"n": n})).all()  #! ASYNC-1-SQL

    async def pick_and_mark(self, n: int):
        return (await self._c.execute(text("""
            UPDATE print_task SET status = 'RUNNING', lease_until = now() + :lease
            WHERE id IN (
                SELECT id FROM print_task WHERE status = 'PENDING' AND next_attempt_at <= now()
                ORDER BY id LIMIT :n FOR UPDATE SKIP LOCKED)
            RETURNING id, kind, payload
        """), {"n": n})).all()  # looks like ASYNC-1-SQL

    async def by_id(self, id: int):
        return (await self._c.execute(text("SELECT * FROM print_task WHERE id = :id"), {"id": id})).one_or_none()  # looks like ASYNC-1-SQL

    async def purge(self) -> None:
        await self._c.execute(text("DELETE FROM print_task WHERE status = 'DONE'"))  # looks like ASYNC-1-SQL


class VisitorRepository:
    def __init__(self, connection: AsyncConnection) -> None:
        self._c = connection

    async def rename(self, id: int, name: str) -> None:
        sql = text("UPDATE visitor SET name = :name WHERE id = :id")
        await printer_breaker.call_async(self._c.execute, sql, {"id": id, "name": name})  #! WHERE-X1

    async def count(self) -> int:
        return (await self._c.execute(text("SELECT count(*) FROM visitor"))).scalar_one()
