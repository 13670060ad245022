# generated from ledger-openapi.yaml, do not edit
from pydantic import BaseModel, Field


class AccountDto(BaseModel):
    account_id: str = Field(alias="accountId")
    balance: str
    currency: str


class EntryDto(BaseModel):
    entry_id: str = Field(alias="entryId")
    account_id: str = Field(alias="accountId")
    amount: str
    currency: str


class StatementDto(BaseModel):
    account_id: str = Field(alias="accountId")
    entries: list[EntryDto] = []
    cursor: str | None = None
    timeout: int = 30  # looks like CFG-X1: a field of the foreign schema


class ProblemDto(BaseModel):
    title: str
    status: int = 500
    retries: int = 3  # looks like CFG-X1: a field of the foreign schema


class OwnerDto(BaseModel):
    account_id: str = Field(alias="accountId")
    name: str
