import httpx
from aiobreaker import CircuitBreaker

from courier.clients.carrier import CarrierClient
from courier.clients.customs import CustomsClient
from courier.clients.maps import MapsClient
from courier.config import CarrierConfig, CustomsConfig, MapsConfig, SystemConfig


class Wiring:
    def __init__(self) -> None:
        self.carrier_config = CarrierConfig()
        self.customs_config = CustomsConfig()
        self.maps_config = MapsConfig()

    def _http(self, config: SystemConfig) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=config.base_url, limits=config.limits, timeout=config.timeout)

    def _breaker(self, name: str, config: SystemConfig) -> CircuitBreaker:
        return CircuitBreaker(name=name, fail_max=config.breaker_failures, timeout_duration=config.breaker_open)

    def isolated(self) -> tuple[CarrierClient, CustomsClient]:
        # looks like ISO-X1 and CB-X3: the factory is called once for each
        carrier = CarrierClient(self.carrier_config, self._breaker("carrier", self.carrier_config), self._http(self.carrier_config))
        customs = CustomsClient(self.customs_config, self._breaker("customs", self.customs_config), self._http(self.customs_config))
        return carrier, customs

    def one_breaker(self) -> tuple[CarrierClient, CustomsClient]:
        guard = self._breaker("parcels", self.carrier_config)
        carrier = CarrierClient(self.carrier_config, breaker=guard, http=self._http(self.carrier_config))
        customs = CustomsClient(self.customs_config, breaker=guard, http=self._http(self.customs_config))  #! ISO-X1
        return carrier, customs

    def one_pool(self) -> dict[str, object]:
        shared = self._http(self.maps_config)
        return {
            "maps": MapsClient(self.maps_config, http=shared),
            "customs": CustomsClient(self.customs_config, breaker=self._breaker("customs", self.customs_config), http=shared),  #! ISO-X1
        }

    def anonymous(self) -> CarrierClient:
        breaker = CircuitBreaker(name=None, fail_max=self.carrier_config.breaker_failures, timeout_duration=self.carrier_config.breaker_open)  #! CB-X3
        return CarrierClient(self.carrier_config, breaker, self._http(self.carrier_config))

    def twice_the_same_system(self) -> list[MapsClient]:
        http = self._http(self.maps_config)
        return [MapsClient(self.maps_config, http), MapsClient(self.maps_config, http)]  # looks like ISO-X1: one system
