from __future__ import annotations

import asyncio
import functools

from parcels.adapters.outbound.nordpost.generated import shipments_api
from parcels.adapters.outbound.nordpost.generated.shipments_api import ShipmentsApi
from parcels.config import Nordpost
from parcels.infrastructure.breakers import nordpost_breaker


def _protected(method):
    @functools.wraps(method)
    async def inner(*args, **kwargs):
        async with asyncio.timeout(Nordpost().total_timeout):
            return await nordpost_breaker.call_async(method, *args, **kwargs)
    return inner


def install() -> None:
    ShipmentsApi.get_label = _protected(ShipmentsApi.get_label)  #! OAS-X1
    for name in ("get_shipment",):
        original = getattr(ShipmentsApi, name)
        setattr(shipments_api.ShipmentsApi, name, _protected(original))  #! OAS-X1
