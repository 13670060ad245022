"""Generated from nordpost.openapi.json."""
import aiobreaker  #! OAS-X1

from .models import LabelDto, ShipmentDto


class ShipmentsApi:
    breaker: "aiobreaker.CircuitBreaker | None" = None

    def __init__(self, transport) -> None:
        self._transport = transport

    async def get_shipment(self, shipment_id: str) -> ShipmentDto:  # looks like OAS-X3
        raw = await self._transport.perform("GET", f"/shipments/{shipment_id}")
        return ShipmentDto.model_validate(raw)

    async def get_label(self, label_id: str) -> LabelDto:  # looks like OAS-X3
        raw = await self._transport.perform("GET", f"/labels/{label_id}")
        return LabelDto.model_validate(raw)
