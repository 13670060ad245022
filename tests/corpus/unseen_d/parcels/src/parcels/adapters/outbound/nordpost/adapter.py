from __future__ import annotations

import asyncio

import httpx
from aiobreaker import CircuitBreaker
from tenacity import AsyncRetrying, RetryError, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from parcels.adapters.outbound.nordpost.generated.models import LabelDto, ShipmentDto, TrackingEventDto
from parcels.application.ports.carrier import CarrierUnavailable
from parcels.config import Nordpost
from parcels.domain.shipment import Label, Shipment, TrackingEvent

TRANSIENT = (httpx.ConnectError, httpx.ReadTimeout, TimeoutError)


class NordpostAdapter:
    system = "nordpost"

    def __init__(self, client: httpx.AsyncClient, breaker: CircuitBreaker, gate: asyncio.Semaphore, cfg: Nordpost):
        self._client = client
        self._breaker = breaker
        self._gate = gate
        self._cfg = cfg

    def _policy(self) -> AsyncRetrying:
        return AsyncRetrying(  # looks like RE-X3 RE-X2
            retry=retry_if_exception_type(TRANSIENT),
            wait=wait_exponential_jitter(initial=self._cfg.backoff_initial, max=self._cfg.backoff_max),
            stop=stop_after_attempt(self._cfg.attempts),  # looks like CFG-X1
            reraise=True,
        )

    async def shipment(self, number: str) -> Shipment:
        async with asyncio.timeout(self._cfg.total_timeout), self._gate:
            dto = await self._breaker.call_async(self._fetch, number)
        return Shipment(number=dto.shipment_id, state=dto.state)

    async def _fetch(self, number: str) -> ShipmentDto:  # looks like OAS-X3
        async with asyncio.timeout(self._cfg.total_timeout):
            reply = await self._client.get(f"/shipments/{number}")
        return ShipmentDto.model_validate(reply.json())

    async def label(self, number: str) -> LabelDto:  #! OAS-X3
        async with asyncio.timeout(self._cfg.total_timeout):
            reply = await self._client.get(f"/labels/{number}")
        return LabelDto.model_validate(reply.json())

    async def events(self, number: str) -> dict[str, list[TrackingEventDto]]:  #! OAS-X3
        dto = await self._fetch(number)
        return {number: dto.events}

    async def mapped_label(self, number: str) -> Label:
        async with asyncio.timeout(self._cfg.total_timeout):
            reply = await self._client.get(f"/labels/{number}")
        dto = LabelDto.model_validate(reply.json())
        return Label(id=dto.label_id, url=dto.pdf_url)  # looks like OAS-X3

    async def last_event(self, number: str) -> TrackingEvent | None:
        async for attempt in self._policy():
            with attempt:
                dto = await self._fetch(number)
        return TrackingEvent.of(dto.events[-1]) if dto.events else None

    async def book(self, order: dict, key: str) -> str:
        try:
            async for attempt in self._policy():
                with attempt:
                    async with asyncio.timeout(self._cfg.total_timeout):
                        reply = await self._client.post("/shipments", json=order, headers={"Idempotency-Key": key})  # looks like RE-X1
        except (RetryError, *TRANSIENT) as err:
            raise CarrierUnavailable(self.system) from err
        return reply.json()["shipment_id"]

    async def rebook(self, number: str, order: dict) -> None:
        async for attempt in self._policy():
            with attempt:
                async with asyncio.timeout(self._cfg.total_timeout):
                    await self._client.put(f"/shipments/{number}/booking", json=order)  #! RE-X1

    async def cancel(self, number: str) -> None:
        async with asyncio.timeout(self._cfg.total_timeout):
            await self._client.delete(f"/shipments/{number}")  # looks like RE-X1

    async def manifest(self, day: str) -> bytes:
        url = f"/manifests/{day}.pdf"
        response = await self._client.request("GET", url)  #! ASYNC-3
        return response.content
