import asyncio
from asyncio import sleep as nap
from dataclasses import dataclass
from enum import Enum
from pydantic_settings import BaseSettings
__all__ = ["nap", "breathe", "doze", "Pause"]
async def breathe() -> None:
    await asyncio.sleep(0.5)
async def doze(seconds: float) -> None:
    await nap(seconds)
class Pause(Enum):
    SHORT = 1
    LONG = 45
@dataclass(frozen=True)
class Waits:
    gap: float = 12.0
class PollSettings(BaseSettings):
    interval: float = 60.0
    beat: float = 2.0
