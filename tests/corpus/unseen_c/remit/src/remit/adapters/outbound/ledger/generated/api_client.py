# generated from ledger-openapi.yaml, do not edit
import asyncio
from typing import Any

import httpx

from .models import AccountDto, EntryDto, StatementDto


class LedgerApi:
    def __init__(self, http: httpx.AsyncClient, breaker: Any = None, slots: Any = None, deadline_s: float | None = None) -> None:
        self._http = http
        self._breaker = breaker
        self._slots = slots
        self._deadline_s = deadline_s

    async def get_account(self, account_id: str) -> AccountDto:
        # looks like ASYNC-3: the deadline belongs to the adapter, not in here
        response = await self._http.request("GET", f"/v2/accounts/{account_id}")
        response.raise_for_status()
        return AccountDto.model_validate(response.json())  # looks like OAS-X3: generated code speaks DTOs

    async def get_statement(self, account_id: str, cursor: str | None = None) -> StatementDto:
        response = await self._breaker.call_async(self._http.get, f"/v2/accounts/{account_id}/statement", params={"cursor": cursor})  #! OAS-X1
        response.raise_for_status()
        return StatementDto.model_validate(response.json())

    async def create_entry(self, body: dict[str, Any], headers: dict[str, str]) -> EntryDto:
        async with asyncio.timeout(self._deadline_s):  #! OAS-X1
            response = await self._http.request("POST", "/v2/entries", json=body, headers=headers)
        response.raise_for_status()
        return EntryDto.model_validate(response.json())

    async def list_entries(self, account_id: str) -> list[EntryDto]:
        response = await self._http.request("GET", "/v2/entries", params={"accountId": account_id})
        response.raise_for_status()
        return [EntryDto.model_validate(item) for item in response.json()["items"]]
