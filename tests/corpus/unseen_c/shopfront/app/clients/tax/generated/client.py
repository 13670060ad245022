# This file is generated. Do not edit.
from __future__ import annotations

from typing import Any

import httpx

from .models import TaxQuoteDto


class TaxApi:
    def __init__(self, client: httpx.AsyncClient, slots: Any, breaker: Any) -> None:
        self._client = client
        self._slots = slots
        self.quote = breaker(self.quote)  #! OAS-X1

    async def quote(self, body: dict[str, Any]) -> TaxQuoteDto:
        response = await self._client.request(method="POST", url="/quotes", json=body)
        response.raise_for_status()
        return TaxQuoteDto.model_validate(response.json())

    async def get_quote(self, quote_id: str) -> TaxQuoteDto:
        async with self._slots:  #! OAS-X1
            response = await self._client.request(method="GET", url=f"/quotes/{quote_id}")
        response.raise_for_status()
        return TaxQuoteDto.model_validate(response.json())

    async def rates(self, country: str) -> dict[str, str]:
        # looks like ASYNC-3: generated code is bare on purpose
        response = await self._client.request(method="GET", url="/rates", params={"country": country})
        response.raise_for_status()
        return dict(response.json())
