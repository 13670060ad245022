import asyncio
from dataclasses import dataclass
from decimal import Decimal

import requests

from app.clients.tax.generated import models as dto
from app.clients.tax.generated.client import TaxApi
from app.core.config import get_config

tax = get_config().tax


@dataclass(frozen=True)
class TaxLine:
    sku: str
    rate: Decimal


class TaxClient:
    def __init__(self, api: TaxApi, session: requests.Session) -> None:
        self._api = api
        self._session = session

    async def lines(self, basket: dict[str, int]) -> list[dto.TaxLineDto]:  #! OAS-X3
        async with asyncio.timeout(tax.total):
            quote = await self._api.quote({"items": basket})
        return quote.lines

    async def tax_lines(self, basket: dict[str, int]) -> list[TaxLine]:
        async with asyncio.timeout(tax.total):
            quote = await self._api.quote({"items": basket})
        return [self._line(line) for line in quote.lines]  # looks like OAS-X3: mapped

    def _line(self, line: dto.TaxLineDto) -> TaxLine:
        return TaxLine(line.sku, Decimal(line.rate))

    async def rate(self, country: str) -> Decimal:
        rates = await asyncio.wait_for(self._api.rates(country), 4.5)  #! CFG-X1
        return Decimal(rates["standard"])

    def forms(self) -> list[str]:
        return self._session.get(f"{tax.url}/forms").json()  #! TO-X1

    def offices(self) -> list[str]:
        # looks like TO-X1: a pair of timeouts
        return self._session.get(f"{tax.url}/offices", timeout=(tax.connect, tax.read)).json()

    def register(self, number: str) -> bool:
        answer = requests.post(f"{tax.url}/register", json={"number": number}, timeout=None)  #! TO-X1
        return answer.ok
