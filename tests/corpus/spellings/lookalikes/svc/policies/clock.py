import asyncio
from dataclasses import dataclass
from pydantic_settings import BaseSettings
async def breathe() -> None:
    await asyncio.sleep(0)
async def fetch(port):
    return await port.get()
class PollSettings(BaseSettings):
    interval: float = 5.0
@dataclass
class Waits:
    gap: float = 2.0
