import asyncio as aio
from datetime import timedelta

import httpx
import tenacity as tn

from parcels.config import Customs
from parcels.domain.declaration import Declaration, DeclarationState

SETTLE = timedelta(seconds=4)
TICK = 0.25


class CustomsAdapter:
    def __init__(self, http: httpx.AsyncClient, cfg: Customs) -> None:
        self._http = http
        self._cfg = cfg

    async def submit(self, declaration: Declaration, key: str) -> str:
        headers = {"Idempotency-Key": key}
        async with aio.timeout(self._cfg.total_timeout):
            answer = await self._http.post("/declarations", json=declaration.as_dict(), headers=headers)
        return answer.json()["id"]

    async def submit_and_settle(self, declaration: Declaration, key: str) -> DeclarationState:
        reference = await self.submit(declaration, key)
        await aio.sleep(SETTLE.total_seconds())  #! ASYNC-2
        return await self.state(reference)

    async def await_release(self, reference: str) -> DeclarationState:
        current = DeclarationState.PENDING
        for _ in range(20):
            current = await self.state(reference)
            if current is DeclarationState.RELEASED:
                break
            await aio.sleep(TICK)  #! ASYNC-2
        return current

    async def short_grace(self, reference: str) -> DeclarationState:
        await aio.sleep(TICK)  # looks like ASYNC-2
        return await self.state(reference)

    async def two_looks(self, reference: str) -> DeclarationState:
        for pause in (0.1, 0.4):
            current = await self.state(reference)
            if current is DeclarationState.RELEASED:
                return current
            await aio.sleep(pause)  # looks like ASYNC-2
        return await self.state(reference)

    async def state(self, reference: str) -> DeclarationState:
        async with aio.timeout(self._cfg.total_timeout):
            answer = await self._http.get(f"/declarations/{reference}")
        return DeclarationState(answer.json()["state"])

    async def certified(self, reference: str) -> DeclarationState:
        try:
            return await self.state(reference)
        except TimeoutError:
            return DeclarationState.RELEASED  #! FB-X2

    async def probable(self, reference: str) -> DeclarationState:
        try:
            return await self.state(reference)
        except TimeoutError:
            return DeclarationState.UNKNOWN  # looks like FB-X2

    @tn.retry(  #! RE-X2
        retry=tn.retry_if_exception_type(httpx.HTTPStatusError),
        wait=tn.wait_random_exponential(),
        reraise=True,
    )
    async def rulings(self, code: str) -> list[dict]:
        async with aio.timeout(self._cfg.total_timeout):
            answer = await self._http.get("/rulings", params={"code": code})
        answer.raise_for_status()
        return answer.json()

    @tn.retry(wait=tn.wait_incrementing(), retry=tn.retry_if_exception_type(httpx.TransportError))  #! RE-X3
    async def offices(self) -> list[dict]:
        async with aio.timeout(self._cfg.total_timeout):
            return (await self._http.get("/offices")).json()

    @tn.retry(  # looks like RE-X2
        wait=tn.wait_random_exponential(),
        retry=tn.retry_if_exception(lambda e: isinstance(e, httpx.ConnectTimeout)),
    )
    async def holidays(self) -> list[str]:
        async with aio.timeout(self._cfg.total_timeout):
            return (await self._http.get("/holidays")).json()

    async def archive(self, reference: str) -> bytes:
        parts = bytearray()
        async with self._http.stream("GET", f"/declarations/{reference}/archive") as answer:  #! ASYNC-3
            async for chunk in answer.aiter_bytes():
                parts += chunk
        return bytes(parts)
