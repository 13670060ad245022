# This file is generated. Do not edit.
from pydantic import BaseModel


class TaxLineDto(BaseModel):
    sku: str
    rate: str


class TaxQuoteDto(BaseModel):
    quote_id: str
    lines: list[TaxLineDto]
    total: str = "0"  # looks like FB-X1: a default of the foreign schema


class OfficeDto(BaseModel):
    office_id: str
    name: str
    max_attempts: int = 3  # looks like CFG-X1: a field of the foreign schema


class RegistrationDto(BaseModel):
    number: str
    valid: bool = True
    status: str = "OK"  # looks like FB-X2: a default of the foreign schema


class ErrorDto(BaseModel):
    code: int
    message: str
