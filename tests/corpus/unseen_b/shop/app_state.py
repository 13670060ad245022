"""What the routers ask for."""
import aiobreaker
from fastapi import Request

from shop import conf
from shop.ports import Mailer, Orders

orders_breaker = aiobreaker.CircuitBreaker(
    name="orders",
    fail_max=conf.wallet.fail_max,
    timeout_duration=conf.wallet.open_for,
)


def orders(request: Request) -> Orders:
    return request.app.state.orders


def mailer(request: Request) -> Mailer:
    return request.app.state.mailer
