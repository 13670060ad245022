import asyncio
import logging
from decimal import Decimal

import httpx
from aiobreaker import CircuitBreaker, CircuitBreakerError
from tenacity import retry, retry_if_exception, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from remit.adapters.outbound.ledger.generated import models
from remit.adapters.outbound.ledger.generated.api_client import LedgerApi
from remit.adapters.outbound.ledger.generated.models import AccountDto, EntryDto
from remit.domain.money import Money
from remit.ports import Account, LedgerUnavailable
from remit.settings import settings

log = logging.getLogger(__name__)
conf = settings.ledger
breaker = CircuitBreaker(fail_max=conf.fail_max, timeout_duration=conf.open_for, name="ledger")


def is_transient(error: BaseException) -> bool:
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code >= 500  # looks like RE-X2: the server's errors only
    return isinstance(error, (httpx.ConnectError, httpx.TimeoutException, TimeoutError))


def _to_account(dto: AccountDto) -> Account:  # looks like OAS-X3: the mapper takes a DTO and gives a domain type
    return Account(id=dto.account_id, balance=Money(Decimal(dto.balance), dto.currency))


class LedgerAdapter:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._api = LedgerApi(http)

    @retry(
        retry=retry_if_exception(is_transient),
        stop=stop_after_attempt(conf.attempts),
        wait=wait_random_exponential(multiplier=conf.backoff_base_s, max=conf.backoff_max_s),
        reraise=True,
    )
    async def account(self, account_id: str) -> Account:
        try:
            async with asyncio.timeout(conf.total_s):
                dto = await breaker.call_async(self._api.get_account, account_id)
        except CircuitBreakerError as error:
            raise LedgerUnavailable(conf.open_for.total_seconds()) from error
        return _to_account(dto)

    @retry(retry=retry_if_exception(is_transient), stop=stop_after_attempt(conf.attempts), wait=wait_random_exponential(max=conf.backoff_max_s), reraise=True)
    async def post_entry(self, account_id: str, amount: Money, key: str) -> str:
        # looks like RE-X1: every attempt carries the same key
        body = {"accountId": account_id, "amount": str(amount.amount), "currency": amount.currency}
        async with asyncio.timeout(conf.total_s):
            response = await self._http.post("/v2/entries", json=body, headers={"Idempotency-Key": key})
        response.raise_for_status()
        return str(response.json()["entryId"])

    @retry(
        reraise=True,
        wait=wait_random_exponential(multiplier=conf.backoff_base_s, max=conf.backoff_max_s),
        stop=stop_after_attempt(conf.attempts),
        retry=retry_if_exception_type((httpx.ConnectError, httpx.ReadTimeout)),
    )
    async def reverse_entry(self, entry_id: str, reason: str) -> None:
        async with asyncio.timeout(conf.total_s):
            response = await self._http.post(f"/v2/entries/{entry_id}/reversals", json={"reason": reason})  #! RE-X1
        response.raise_for_status()

    @retry(retry=retry_if_exception_type(httpx.HTTPStatusError), stop=stop_after_attempt(conf.attempts), wait=wait_random_exponential(max=conf.backoff_max_s))  #! RE-X2
    async def owner(self, account_id: str) -> str:
        async with asyncio.timeout(conf.total_s):
            response = await self._http.get(f"/v2/accounts/{account_id}/owner")
        response.raise_for_status()
        return str(response.json()["name"])

    async def entries(self, account_id: str) -> list[EntryDto]:  #! OAS-X3
        async with asyncio.timeout(conf.total_s):
            return await self._api.list_entries(account_id)

    async def statement(self, account_id: str, cursor: str | None) -> "models.StatementDto | None":  #! OAS-X3
        async with asyncio.timeout(conf.total_s):
            return await self._api.get_statement(account_id, cursor)

    async def currencies(self) -> frozenset[str]:
        response = await self._http.get("/v2/currencies")  #! ASYNC-3
        async with asyncio.timeout(conf.total_s):
            limits = await self._http.get("/v2/currencies/limits")
        known = {item["code"] for item in response.json()}
        return frozenset(known & set(limits.json()))
