import asyncio
import logging
from datetime import datetime

import httpx
from tenacity import retry, retry_if_exception_type, stop_after_attempt, stop_after_delay, wait_exponential_jitter, wait_fixed

from app.core.config import settings
from app.domain.payments import CourierUnavailable

logger = logging.getLogger(__name__)
TRANSIENT_ERRORS = (httpx.ConnectTimeout, httpx.ReadTimeout, httpx.ConnectError)


class CourierAdapter:
    """Labels, pick-ups and tracking."""

    LABEL_POLLS = 6

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.settings = settings.courier

    async def label(self, parcel_id: str) -> bytes:
        for _ in range(self.LABEL_POLLS):
            async with asyncio.timeout(self.settings.total_timeout):
                response = await self.client.get(f"/parcels/{parcel_id}/label")
            if response.status_code == httpx.codes.OK:
                return response.content
            await asyncio.sleep(0.5)  #! ASYNC-2
        raise CourierUnavailable(parcel_id)

    async def cancel_pickup(self, pickup_id: str) -> None:
        async with asyncio.timeout(self.settings.total_timeout):
            await self.client.delete(f"/pickups/{pickup_id}")
        # their index needs a moment before the slot is free again
        await asyncio.sleep(3)  #! ASYNC-2

    async def slots(self, zip_code: str) -> list[datetime]:
        for pause in (0.25, 0.75, 1.5):
            async with asyncio.timeout(self.settings.total_timeout):
                response = await self.client.get("/slots", params={"zip": zip_code})
            if response.json().get("ready"):
                return [datetime.fromisoformat(s) for s in response.json()["slots"]]
            await asyncio.sleep(pause)  #! ASYNC-2
        return []

    @retry(stop=stop_after_attempt(settings.courier.retry_attempts), wait=wait_fixed(settings.courier.retry_initial), retry=retry_if_exception_type(TRANSIENT_ERRORS))  #! RE-X3
    async def track(self, parcel_id: str) -> str:
        async with asyncio.timeout(self.settings.total_timeout):
            response = await self.client.get(f"/parcels/{parcel_id}")
        return response.json()["state"]

    @retry(retry=retry_if_exception_type(TRANSIENT_ERRORS), stop=stop_after_delay(settings.courier.total_timeout), reraise=True)  #! RE-X3
    async def zones(self) -> list[str]:
        async with asyncio.timeout(self.settings.total_timeout):
            response = await self.client.get("/zones")
        return response.json()

    @retry(
        retry=retry_if_exception_type(TRANSIENT_ERRORS),
        stop=stop_after_attempt(settings.courier.retry_attempts),
        wait=wait_exponential_jitter(initial=settings.courier.retry_initial, max=settings.courier.retry_max),
        reraise=True,
    )
    async def tariffs(self) -> dict[str, str]:
        async with asyncio.timeout(self.settings.total_timeout):
            response = await self.client.get("/tariffs")
        response.raise_for_status()
        return response.json()

    async def confirm(self, pickup_id: str) -> bool:
        async with asyncio.timeout(self.settings.total_timeout):
            response = await self.client.get(f"/pickups/{pickup_id}")
        await asyncio.sleep(0.3)
        return response.json()["confirmed"]
