"""Ports of the shop."""
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from shop.clients.geo.generated.models import PlaceDTO  #! OAS-X3


class WalletDown(Exception):
    """The wallet cannot be reached."""


class ShopError(Exception):
    pass


@dataclass(frozen=True)
class Cash:
    cents: int
    currency: str = "EUR"

    @property
    def amount(self) -> Decimal:
        return Decimal(self.cents) / 100


@dataclass(frozen=True)
class Place:
    name: str
    lat: float
    lon: float


class GeoPort(Protocol):
    async def place(self, name: str) -> PlaceDTO: ...


class Wallet(Protocol):
    async def balance(self, user: str) -> Decimal: ...
    async def charge(self, user: str, cash: Cash, key: str) -> str: ...


class Orders(Protocol):
    async def get(self, order_id: int) -> Any: ...
    async def status(self, order_id: int) -> str: ...
    async def save(self, order: Any) -> None: ...


class Mailer(Protocol):
    async def send(self, to: str, subject: str, html: str) -> str: ...
    async def bounce_state(self, message: str) -> str: ...
