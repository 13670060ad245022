"""Documents come from a slow renderer; parts of this file predate async."""
from __future__ import annotations

import asyncio
import hashlib
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import httpx
from starlette.concurrency import run_in_threadpool

from app.core.config import settings


class DocumentRenderer:
    def __init__(self, http: httpx.AsyncClient, pool: Executor) -> None:
        self._http = http
        self._pool = pool
        self._limit = asyncio.Semaphore(settings.scoring.max_concurrent)

    async def _fetch(self, document_id: str) -> bytes:
        async with asyncio.timeout(settings.scoring.total_timeout):
            response = await self._http.get(f"/documents/{document_id}")
        return response.content

    async def fetch(self, document_id: str) -> bytes:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: asyncio.run(self._fetch(document_id)))  #! BH-X1

    async def fetch_detached(self, document_id: str) -> bytes:
        return await asyncio.to_thread(asyncio.run, self._fetch(document_id))  #! BH-X1

    def fetch_many(self, ids: list[str]) -> list[bytes]:
        futures = [self._pool.submit(asyncio.run, self._fetch(i)) for i in ids]  #! BH-X1
        return [future.result() for future in futures]

    async def fetch_pool(self, document_id: str) -> bytes:
        return await run_in_threadpool(asyncio.run, self._fetch(document_id))  #! BH-X1

    async def limited(self, document_id: str) -> bytes:
        async with self._limit:
            return await self._fetch(document_id)

    async def checksum(self, document_id: str) -> str:
        content = await self._fetch(document_id)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: hashlib.sha256(content).hexdigest())

    async def store(self, document_id: str, target: Path) -> None:
        content = await self._fetch(document_id)
        await asyncio.to_thread(target.write_bytes, content)

    async def unpack(self, archive: Path) -> list[str]:
        return await run_in_threadpool(_names, archive)


def _names(archive: Path) -> list[str]:
    import zipfile

    with zipfile.ZipFile(archive) as handle:
        return handle.namelist()


def thumbnails(paths: list[Path]) -> list[bytes]:
    with ThreadPoolExecutor() as pool:
        return list(pool.map(Path.read_bytes, paths))
