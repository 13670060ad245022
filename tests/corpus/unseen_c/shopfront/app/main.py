from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI

from app.clients.loyalty import LoyaltyClient
from app.clients.pay import PayClient
from app.clients.shipping import ShippingClient
from app.clients.stock import StockClient
from app.core.config import Upstream, get_config
from app.core.http import plain_client
from app.core.threads import file_pool
from app.routers import exports

config = get_config()


def client_for(up: Upstream) -> httpx.AsyncClient:
    return plain_client(up)


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.http = client_for(config.pay)
    app.state.pay = PayClient(app.state.http)
    app.state.loyalty = LoyaltyClient(app.state.http)  #! ISO-X1
    async with client_for(config.stock) as stock_http, client_for(config.shipping) as shipping_http:
        app.state.stock = StockClient(stock_http, file_pool)
        app.state.shipping = ShippingClient(shipping_http)  # looks like ISO-X1: one client for each
        yield
    await app.state.http.aclose()


def create_app() -> FastAPI:
    app = FastAPI(title="shopfront", lifespan=lifespan)
    app.include_router(exports.router)
    return app


app = create_app()
