import logging
from decimal import Decimal

from app.clients.shipping import ShippingClient
from app.clients.stock import StockUnavailable
from app.clients.tax.client import TaxClient

log = logging.getLogger(__name__)


class PriceUnknown(Exception):
    pass


class PricingService:
    def __init__(self, shipping: ShippingClient, tax: TaxClient, loyalty, mailer) -> None:
        self.shipping = shipping
        self.tax = tax
        self.loyalty = loyalty
        self.mailer = mailer

    async def shipping_price(self, parcel: dict[str, str]) -> Decimal:
        try:
            price = await self.shipping.rate(parcel)
        except (TimeoutError, ConnectionError):
            return Decimal()  #! FB-X1
        if price is None:
            raise PriceUnknown  # looks like FB-X1
        return price

    async def basket_total(self, lines: list[tuple[Decimal, int]], country: str) -> Decimal:
        net = sum((price * count for price, count in lines), Decimal("0"))  # looks like FB-X1: a sum begins at zero
        try:
            rate = await self.tax.rate(country)
        except TimeoutError as error:
            raise PriceUnknown(country) from error
        return net * (1 + rate)

    async def recommendations(self, customer: str) -> list[str]:
        try:
            return await self.loyalty.recommended(customer)
        except TimeoutError:
            return []  # looks like FB-X1: a neutral default for a read that is no money

    async def points_booked(self, customer: str, points: int) -> bool:
        try:
            await self.loyalty.book(customer, points)
        except (TimeoutError, ConnectionError) as error:
            log.warning("points not booked: %s", error)
            return True  #! FB-X2
        return True

    async def receipt_sent(self, order_id: str) -> dict[str, str]:
        try:
            await self.mailer.send(order_id)
        except ConnectionError:
            return {"order": order_id, "status": "sent"}  #! FB-X2
        return {"order": order_id, "status": "sent"}

    async def parcel_announced(self, order_id: str) -> dict[str, str]:
        try:
            await self.shipping.book_once({"order": order_id}, order_id)
        except TimeoutError:
            return {"order": order_id, "status": "failed"}  # looks like FB-X2: it tells the truth
        return {"order": order_id, "status": "announced"}

    async def level_text(self, stock, sku: str) -> str:
        try:
            return str(await stock.cached_level(sku))
        except StockUnavailable:
            return "unknown"  # looks like FB-X2: claims nothing
