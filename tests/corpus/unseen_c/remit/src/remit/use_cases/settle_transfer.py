import time
from dataclasses import dataclass

import anyio

from remit.adapters.outbound.ledger.generated.models import EntryDto  #! OAS-X3
from remit.domain.money import Money
from remit.ports import FxPort, FxUnavailable, LedgerPort, LedgerUnavailable, ScreeningPort, Verdict
from remit.settings import WorkerSettings


class FeeUnknown(Exception):
    pass


@dataclass(frozen=True)
class Settled:
    entry_id: str
    done: bool


class SettleTransfer:
    def __init__(self, ledger: LedgerPort, fx: FxPort, screening: ScreeningPort, conf: WorkerSettings, repo, tasks) -> None:
        self._ledger = ledger
        self._fx = fx
        self._screening = screening
        self._conf = conf
        self._repo = repo
        self._tasks = tasks

    async def execute(self, account_id: str, amount: Money, key: str) -> Settled:
        transfer = await self._repo.get(key)  # looks like ASYNC-3: a repository
        if transfer is not None and transfer.entry_id:
            return Settled(transfer.entry_id, done=True)
        try:
            entry_id = await self._ledger.post_entry(account_id, amount, key)
        except LedgerUnavailable:
            await self._tasks.add("settlement", {"account": account_id, "key": key})
            return Settled("", done=False)  # looks like FB-X2: a task is written and nothing claims to be done
        return Settled(entry_id, done=True)

    async def wait_for_verdict(self, reference: str) -> Verdict | None:
        end, polls = time.monotonic() + self._conf.lease_s, 0
        while time.monotonic() < end and polls < self._conf.max_attempts:
            polls += 1
            verdict = await self._screening.verdict(reference)
            if verdict.final:
                return verdict
            await anyio.sleep(self._conf.idle_s)  #! ASYNC-X1
        return None

    async def balance(self, account_id: str) -> Money | None:
        try:
            return (await self._ledger.account(account_id)).balance
        except LedgerUnavailable:
            return None  #! FB-X1

    async def nickname(self, account_id: str) -> str | None:
        try:
            return (await self._ledger.account(account_id)).id[:4]
        except LedgerUnavailable:
            return None  # looks like FB-X1: a name is not money

    async def fee_in(self, fee: Money, currency: str) -> Money:
        try:
            return await self._fx.quote(fee, currency)
        except FxUnavailable as error:
            raise FeeUnknown(currency) from error  # looks like FB-X1: no amount is made up

    def describe(self, raw: dict[str, str]) -> str:
        entry = EntryDto.model_validate(raw)
        return f"{entry.amount} {entry.currency}"
