import asyncio
from collections.abc import Sequence
from contextlib import asynccontextmanager

import httpx

from remit.ports import ScreeningUnavailable, Verdict
from remit.settings import SystemSettings


@asynccontextmanager
async def deadline(seconds: float):
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise ScreeningUnavailable from error


class ScreeningAdapter:
    def __init__(self, http: httpx.AsyncClient, conf: SystemSettings) -> None:
        self._http = http
        self._conf = conf

    async def verdict(self, reference: str) -> Verdict:
        async with deadline(self._conf.total_s):  # looks like ASYNC-3: the helper above is an asyncio.timeout
            response = await self._http.get(f"/checks/{reference}")
        body = response.json()
        return Verdict(reference, body["state"] != "RUNNING", body.get("hits", 0) == 0)

    async def start(self, name: str, country: str) -> str:
        async with asyncio.timeout(self._conf.total_s):
            response = await self._http.post("/checks", json={"name": name, "country": country})
        await asyncio.sleep(3)  #! ASYNC-2
        return str(response.json()["reference"])

    async def first_verdict(self, reference: str) -> Verdict:
        for pause in (0.5, 1, 2):
            verdict = await self.verdict(reference)
            if verdict.final:
                return verdict
            await asyncio.sleep(pause)  #! ASYNC-2
        raise ScreeningUnavailable

    async def quick_verdict(self, reference: str) -> Verdict:
        for _ in range(4):
            verdict = await self.verdict(reference)
            if verdict.final:
                return verdict
            await asyncio.sleep(0.25)  # looks like ASYNC-2: one second in all
        raise ScreeningUnavailable

    async def names(self, country: str) -> Sequence[str]:
        found: list[str] = []
        async with self._http.stream("GET", "/lists", params={"country": country}) as response:  #! ASYNC-3
            async for line in response.aiter_lines():
                found.append(line.strip())
        return found

    async def lists(self, countries: Sequence[str]) -> list[dict[str, object]]:
        async with deadline(self._conf.total_s):
            requests = [self._http.build_request("GET", "/lists", params={"country": country}) for country in countries]
        responses = await asyncio.gather(*(self._http.send(request) for request in requests))  #! ASYNC-3
        return [response.json() for response in responses]

    async def versions(self) -> list[str]:
        pending = self._http.get("/versions")
        response = await asyncio.wait_for(pending, timeout=self._conf.total_s)  # looks like ASYNC-3: bounded by wait_for
        return list(response.json())
