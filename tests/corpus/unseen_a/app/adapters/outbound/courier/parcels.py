"""Reading parcels through the generated client."""
from __future__ import annotations

import asyncio
from dataclasses import dataclass

import httpx
from aiobreaker import CircuitBreakerError

from app.adapters.outbound.courier.generated.client import ParcelsApi
from app.adapters.outbound.courier.generated.models import AddressDto, ParcelDto
from app.core.config import settings
from app.domain.payments import CourierUnavailable
from app.infrastructure.breakers import build_breaker

breaker = build_breaker(settings.courier, "courier")


@dataclass(frozen=True)
class Parcel:
    id: str
    state: str
    city: str


def to_domain(dto: ParcelDto) -> Parcel:
    return Parcel(id=dto.id, state=dto.state.value, city=dto.address.city)


def _address(dto: ParcelDto) -> AddressDto:
    return dto.address


class ParcelReader:
    def __init__(self, api: ParcelsApi) -> None:
        self._api = api

    async def parcel_dto(self, parcel_id: str) -> ParcelDto:  #! OAS-X3
        async with asyncio.timeout(settings.courier.total_timeout):
            return await self._api.read_parcel(parcel_id)

    async def all_parcels(self) -> list[ParcelDto]:  #! OAS-X3
        async with asyncio.timeout(settings.courier.total_timeout):
            return await self._api.list_parcels()

    @breaker
    async def parcel(self, parcel_id: str) -> Parcel:
        async with asyncio.timeout(settings.courier.total_timeout):
            return to_domain(await self._api.read_parcel(parcel_id))

    async def parcels(self) -> list[Parcel]:
        try:
            async with asyncio.timeout(settings.courier.total_timeout):
                found = await breaker.call_async(self._api.list_parcels)
        except (CircuitBreakerError, httpx.TransportError) as exc:
            raise CourierUnavailable("parcels") from exc
        return [to_domain(dto) for dto in found]

    async def city(self, parcel_id: str) -> str:
        async with asyncio.timeout(settings.courier.total_timeout):
            dto = await self._api.read_parcel(parcel_id)
        return _address(dto).city
