"""Statements and transfers at the bank."""
import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from http import HTTPStatus

import httpx
from aiobreaker import CircuitBreakerError
from starlette.responses import JSONResponse, Response

from ledger.core.settings import S

r = S.bank


@dataclass(frozen=True)
class Transfer:
    id: str
    state: str


class BankRefused(Exception):
    pass


class BankAdapter:
    http: httpx.AsyncClient

    def __init__(self, http: httpx.AsyncClient):
        self.http = http

    async def _send(self, request: httpx.Request) -> httpx.Response:
        async with asyncio.timeout(r.total):
            return await self.http.send(request)

    async def accounts(self) -> list[str]:
        response = await self._send(self.http.build_request("GET", "/accounts"))
        return response.json()

    async def details(self, ibans: list[str]) -> list[dict]:
        replies = await asyncio.gather(*[self.http.get(f"/accounts/{iban}") for iban in ibans])  #! ASYNC-3
        return [reply.json() for reply in replies]

    async def lines(self, iban: str) -> AsyncIterator[str]:
        async with self.http.stream("GET", f"/accounts/{iban}/lines") as reply:  #! ASYNC-3
            async for line in reply.aiter_lines():
                yield line

    async def lines_in_time(self, iban: str) -> list[str]:
        async with asyncio.timeout(r.total), self.http.stream("GET", f"/accounts/{iban}/lines") as reply:
            return [line async for line in reply.aiter_lines()]

    async def holidays(self) -> list[str]:
        async with httpx.AsyncClient(base_url=S.bank_url, timeout=r.timeout, limits=r.limits) as once:
            reply = await once.get("/holidays")  #! ASYNC-3
        return reply.json()

    async def sorted_codes(self) -> list[str]:
        task = asyncio.create_task(self.http.get("/codes"))
        reply = await asyncio.wait_for(task, r.total)
        return sorted(reply.json())

    async def transfer(self, iban: str, cents: int, key: str) -> Transfer:
        try:
            async with asyncio.timeout(r.total):
                reply = await self.http.post("/transfers", json={"to": iban, "cents": cents}, headers={"Idempotency-Key": key})
                reply.raise_for_status()
        except CircuitBreakerError:
            return Transfer(id=key, state="completed")  #! FB-X2
        except httpx.HTTPStatusError as exc:
            raise BankRefused(exc.response.text) from exc
        return Transfer(id=reply.json()["id"], state="completed")

    async def cancel(self, transfer_id: str) -> Response:
        try:
            async with asyncio.timeout(r.total):
                reply = await self.http.delete(f"/transfers/{transfer_id}")
                reply.raise_for_status()
        except (httpx.HTTPError, TimeoutError):
            return JSONResponse({"success": True, "id": transfer_id}, status_code=HTTPStatus.OK)  #! FB-X2
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def confirm(self, transfer_id: str) -> bool:
        try:
            async with asyncio.timeout(r.total):
                reply = await self.http.post(f"/transfers/{transfer_id}/confirm")
                reply.raise_for_status()
        except (httpx.HTTPError, TimeoutError):
            pass
        return True  #! FB-X2

    async def exists(self, transfer_id: str) -> bool:
        try:
            async with asyncio.timeout(r.total):
                reply = await self.http.head(f"/transfers/{transfer_id}")
        except httpx.TransportError as exc:
            raise BankRefused(transfer_id) from exc
        return reply.is_success

    async def later(self, transfer_id: str) -> Response:
        try:
            async with asyncio.timeout(r.total):
                await self.http.post(f"/transfers/{transfer_id}/hold")
        except TimeoutError:
            return JSONResponse({"success": False, "id": transfer_id}, status_code=HTTPStatus.SERVICE_UNAVAILABLE)
        return Response(status_code=HTTPStatus.NO_CONTENT)
