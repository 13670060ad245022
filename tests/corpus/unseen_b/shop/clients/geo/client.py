import asyncio as aio
from functools import partial
from typing import Any

import httpx
import tenacity as t

from shop import conf
from shop.constants import INDEX_LAG
from shop.resilience import retries, with_deadline

nap = partial(aio.sleep, 2.5)
every_error = t.retry_if_exception(lambda exc: True)
geo_wait = t.wait_random_exponential(multiplier=conf.geo.backoff_first, max=conf.geo.backoff_cap)
geo_stop = t.stop_after_attempt(conf.geo.attempts)


class GeoClient:
    _http: httpx.AsyncClient

    def __init__(self, http):
        self._http = http
        self._fetch_again = retries(conf.geo)(self._fetch)

    async def _fetch(self, path: str, **params: Any) -> Any:
        return (await self._http.get(path, params=params)).json()  #! ASYNC-3

    @with_deadline(conf.geo.total)
    async def locate(self, address: str) -> dict[str, float]:
        response = await self._http.get("/locate", params={"q": address})
        return response.json()

    async def countries(self) -> list[str]:
        return await self._fetch_again("/countries")

    async def nearest(self, lat: float, lon: float) -> list[str]:
        request = self._http.build_request("GET", "/nearest", params={"lat": lat, "lon": lon})
        response = await self._http.send(request)  #! ASYNC-3
        return [row["name"] for row in response.json()]

    @t.retry(stop=geo_stop, wait=geo_wait, retry=every_error)  #! RE-X2
    async def timezone(self, lat: float, lon: float) -> str:
        async with aio.timeout(conf.geo.total):
            response = await self._http.get("/tz", params={"lat": lat, "lon": lon})
        response.raise_for_status()
        return response.text

    @t.retry(retry=t.retry_if_not_exception_type(KeyError), stop=geo_stop, wait=geo_wait)  #! RE-X2
    async def elevation(self, lat: float, lon: float) -> float:
        async with aio.timeout(conf.geo.total):
            response = await self._http.get("/elevation", params={"lat": lat, "lon": lon})
        response.raise_for_status()
        return response.json()["metres"]

    async def reindex(self, area: str) -> None:
        async with aio.timeout(conf.geo.total):
            await self._http.post(f"/areas/{area}/reindex")
        await aio.sleep(INDEX_LAG)  #! ASYNC-2

    async def rename(self, area: str, name: str) -> str:
        async with aio.timeout(conf.geo.total):
            await self._http.patch(f"/areas/{area}", json={"name": name})
        await nap()  #! ASYNC-2
        return name

    async def area(self, area: str) -> dict[str, Any] | None:
        for step in range(4):
            async with aio.timeout(conf.geo.total):
                response = await self._http.get(f"/areas/{area}")
            if response.status_code != httpx.codes.ACCEPTED:
                return response.json()
            await aio.sleep(0.25 * 2**step)  #! ASYNC-2
        return None

    async def borders(self, area: str) -> dict[str, Any]:
        tries = 0
        while tries < 8:
            async with aio.timeout(conf.geo.total):
                response = await self._http.get(f"/areas/{area}/borders")
            if response.is_success:
                return response.json()
            tries += 1
            await aio.sleep(0.4)  #! ASYNC-2
        raise LookupError(area)

    async def tiles(self, area: str) -> bytes:
        for _ in range(3):
            async with aio.timeout(conf.geo.total):
                response = await self._http.get(f"/areas/{area}/tiles")
            if response.is_success:
                return response.content
            await aio.sleep(0.2)
        raise LookupError(area)
