"""Places and regions, on top of the generated client."""
import asyncio
from collections.abc import AsyncIterator

from shop import conf
from shop.clients.geo.generated import PlaceDTO, PlacesClient, RegionDTO
from shop.ports import Place


def _place(dto: PlaceDTO) -> Place:
    return Place(name=dto.title, lat=dto.lat, lon=dto.lon)


class Places:
    def __init__(self, api: PlacesClient) -> None:
        self._api = api

    async def raw(self, name: str) -> "PlaceDTO":  #! OAS-X3
        async with asyncio.timeout(conf.geo.total):
            return await self._api.get_place(name)

    async def region_with_code(self, code: str) -> tuple[str, RegionDTO | None]:  #! OAS-X3
        async with asyncio.timeout(conf.geo.total):
            region = await self._api.get_region(code)
        return code, region

    async def stream(self, codes: list[str]) -> AsyncIterator[RegionDTO]:  #! OAS-X3
        for code in codes:
            async with asyncio.timeout(conf.geo.total):
                yield await self._api.get_region(code)

    async def place(self, name: str) -> Place:
        async with asyncio.timeout(conf.geo.total):
            return _place(await self._region_place(name))

    async def _region_place(self, name: str) -> PlaceDTO:
        async with asyncio.timeout(conf.geo.total):
            return await self._api.get_place(name)

    async def codes(self) -> dict[str, int]:
        async with asyncio.timeout(conf.geo.total):
            regions = await self._api.list_regions()
        return {region.code: len(region.places) for region in regions}

    async def names(self, code: str) -> list[str]:
        async with asyncio.timeout(conf.geo.total):
            region: RegionDTO = await self._api.get_region(code)
        return [_place(dto).name for dto in region.places]
