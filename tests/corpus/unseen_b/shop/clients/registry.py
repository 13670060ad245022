"""Which client belongs to which system."""
from dataclasses import dataclass
from typing import Any

import httpx
from aiobreaker import CircuitBreaker

from shop import conf
from shop.clients.factory import geo_http, mail_http
from shop.clients.geo.client import GeoClient
from shop.clients.search import SearchClient
from shop.clients.wallet import WalletClient
from shop.resilience import new_client


@dataclass
class Protected:
    client: Any
    breaker: CircuitBreaker


def breaker_for(name: str, c: conf.Outbound) -> CircuitBreaker:
    return CircuitBreaker(fail_max=c.fail_max, timeout_duration=c.open_for, name=name)


http = new_client(conf.search)
search = SearchClient(http)
wallet = WalletClient(http)  #! ISO-X1


def by_system() -> dict[str, Any]:
    client = new_client(conf.geo)
    return {"geo": GeoClient(client), "wallet": WalletClient(client)}  #! ISO-X1


def all_of_them(client: httpx.AsyncClient) -> list[Any]:
    return [system(client) for system in (GeoClient, SearchClient, WalletClient)]  #! ISO-X1


def cached() -> tuple[GeoClient, WalletClient]:
    return GeoClient(geo_http()), WalletClient(geo_http())  #! ISO-X1


def one_breaker() -> list[Protected]:
    everything = breaker_for("outbound", conf.geo)
    geo, found = GeoClient(geo_http()), SearchClient(new_client(conf.search))
    return [Protected(geo, breaker=everything), Protected(found, breaker=everything)]  #! CB-X3


def separate() -> list[Protected]:
    return [
        Protected(GeoClient(geo_http()), breaker=breaker_for("lookup", conf.geo)),
        Protected(SearchClient(new_client(conf.search)), breaker=breaker_for("finder", conf.search)),
    ]


def two_views_of_geo() -> tuple[GeoClient, GeoClient]:
    client = geo_http()
    return GeoClient(client), GeoClient(client)


def fresh() -> list[Any]:
    return [GeoClient(new_client(conf.geo)), WalletClient(new_client(conf.wallet)), mail_http()]


class Registry:
    def __init__(self) -> None:
        self.geo = GeoClient(new_client(conf.geo))
        self.search = SearchClient(new_client(conf.search))
        self.wallet = WalletClient(new_client(conf.wallet))
