"""Generated from nordpost.openapi.json."""
from datetime import datetime

from pydantic import BaseModel


class LabelDto(BaseModel):
    label_id: str
    pdf_url: str


class TrackingEventDto(BaseModel):
    code: str
    occurred_at: datetime
    place: str | None = None


class ShipmentDto(BaseModel):
    shipment_id: str
    state: str
    events: list[TrackingEventDto] = []
