"""Wire format of the laboratory; stays in this package."""
from pydantic import BaseModel


class LabResultDto(BaseModel):
    sample: str
    finished: bool
    values: dict[str, float]


class LabOrderDto(BaseModel):
    sample: str
    panel: str
