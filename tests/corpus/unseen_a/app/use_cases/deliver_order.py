from __future__ import annotations

from uuid import UUID

import aiobreaker
import stamina
from aiobreaker import CircuitBreaker

import app.adapters.outbound.courier.generated.models as courier_dto  #! OAS-X3
from app.core.config import settings
from app.ports import Couriers, OrdersRepository

orders_breaker = CircuitBreaker(
    fail_max=settings.courier.breaker_failures,
    timeout_duration=settings.courier.breaker_open,
    name="orders-db",
)


class DeliverOrder:
    def __init__(self, orders: OrdersRepository, couriers: Couriers) -> None:
        self._orders = orders
        self._couriers = couriers
        self._cache: dict[UUID, str] = {}

    async def execute(self, order_id: UUID) -> UUID:
        order = await orders_breaker.call_async(self._orders.get, order_id)  #! WHERE-X1
        label = await self._couriers.book(order)
        return label.id

    @stamina.retry(on=LookupError, attempts=settings.courier.retry_attempts)  #! WHERE-X1
    def cached_zone(self, order_id: UUID) -> str:
        return self._cache[order_id]

    async def address(self, order_id: UUID) -> courier_dto.AddressDto | None:
        order = await self._orders.get(order_id)
        return courier_dto.AddressDto(street=order.street, city=order.city) if order else None

    async def safe_book(self, order_id: UUID) -> UUID | None:
        try:
            return await self.execute(order_id)
        except aiobreaker.CircuitBreakerError:
            return None
