"""Readiness of the systems around us."""
import asyncio
import time
from collections.abc import Awaitable, Callable
from decimal import Decimal
from uuid import uuid4

import httpx
from fastapi import APIRouter, Depends

from app.adapters.outbound.acquiring.client import AcquiringClient
from app.adapters.outbound.notify.sender import NotifySender
from app.core.config import settings
from app.infrastructure.container import get_acquiring, get_courier_http, get_notify, get_rates_http, get_scoring_http

router = APIRouter(prefix="/health")


class CachedProbe:
    def __init__(self, probe: Callable[[], Awaitable[bool]], ttl: float = settings.probe_ttl) -> None:
        self._probe = probe
        self._ttl = ttl
        self._lock = asyncio.Lock()
        self._at = 0.0
        self._up = True

    async def __call__(self) -> bool:
        async with self._lock:
            if time.monotonic() - self._at >= self._ttl:
                self._up = await self._probe()
                self._at = time.monotonic()
            return self._up


async def probe_acquiring(client: AcquiringClient = Depends(get_acquiring)) -> bool:
    try:
        await client.authorize(uuid4(), Decimal("0.01"), "tok_probe")  #! HC-X2
    except Exception:
        return False
    return True


async def probe_notify(sender: NotifySender = Depends(get_notify)) -> bool:
    result = await sender.send_mail("probe@example.org", "healthcheck")  #! HC-X2
    return bool(result)


async def probe_courier(http: httpx.AsyncClient = Depends(get_courier_http)) -> bool:
    async with asyncio.timeout(settings.courier.total_timeout):
        response = await http.post("/pickups", json={"parcel": "probe", "dry": False})  #! HC-X2
    return response.status_code < 500


async def probe_scoring(http: httpx.AsyncClient = Depends(get_scoring_http)) -> bool:
    async with asyncio.timeout(settings.scoring.total_timeout):
        response = await http.get("/health")
    return response.is_success


async def probe_rates(http: httpx.AsyncClient = Depends(get_rates_http)) -> bool:
    async with asyncio.timeout(settings.rates.total_timeout):
        response = await http.request("OPTIONS", "/")
    return response.status_code < 500


@router.get("/live")
async def live() -> dict[str, str]:
    return {"status": "ok"}
