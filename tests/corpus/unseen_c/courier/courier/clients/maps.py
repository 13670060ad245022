import asyncio
from dataclasses import dataclass

import httpx

from courier.config import MapsConfig


@dataclass(frozen=True)
class Point:
    lat: float
    lon: float


class Budget:
    def __init__(self, seconds: float) -> None:
        self._ends = asyncio.get_running_loop().time() + seconds

    @property
    def at(self) -> float:
        return self._ends


class MapsClient:
    def __init__(self, config: MapsConfig, http: httpx.AsyncClient) -> None:
        self._config = config
        self._http = http
        self._known: dict[str, Point] = {}
        self._slots = asyncio.Semaphore(config.max_concurrent)  # looks like CFG-X1

    async def locate(self, address: str) -> Point | None:
        if address in self._known:
            return self._known.get(address)  # looks like ASYNC-3
        budget = Budget(self._config.total_timeout)
        async with asyncio.timeout_at(budget.at):  # looks like ASYNC-3: a deadline given as a moment
            async with self._slots:
                response = await self._http.get("/geocode", params={"q": address})
        if response.status_code == 404:
            return None  # looks like FB-X1: no such address
        self._known[address] = point = Point(**response.json())
        return point

    async def route(self, start: Point, end: Point) -> list[Point]:
        async with httpx.AsyncClient() as http:  #! ISO-X2
            response = await http.get(f"{self._config.base_url}/route", params={"from": str(start), "to": str(end)})  #! ASYNC-3
        return [Point(**step) for step in response.json()["steps"]]

    async def distance(self, start: Point, end: Point) -> float:
        async with asyncio.timeout(self._config.total_timeout):
            await self._slots.acquire()
        try:
            response = await self._http.get("/distance", params={"from": str(start), "to": str(end)})  #! ASYNC-3
        finally:
            self._slots.release()
        return float(response.json()["metres"])

    async def tile(self, x: int, y: int) -> bytes:
        async with asyncio.timeout(1.5):  #! CFG-X1
            response = await self._http.get(f"/tiles/{x}/{y}")
        return response.content

    def legend(self) -> str:
        return httpx.get(f"{self._config.base_url}/legend", timeout=None).text  #! TO-X1

    def credits(self) -> str:
        return httpx.get(f"{self._config.base_url}/credits", timeout=self._config.timeout).text  # looks like TO-X1
