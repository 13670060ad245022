"""One client per partner; opened and closed by the lifespan."""
from functools import partial

import httpx
from httpx import AsyncClient, AsyncHTTPTransport, Limits

from app.core.config import settings

transport = AsyncHTTPTransport(http2=True, retries=0)  # looks like RE-X4
patient_transport = partial(AsyncHTTPTransport, retries=settings.LAB_ATTEMPTS)  #! RE-X4


def lab_client() -> AsyncClient:
    return AsyncClient(  # looks like ISO-X2
        base_url=settings.LAB_URL,
        transport=transport,
        limits=Limits(max_connections=settings.LAB_POOL),
        timeout=settings.LAB_TOTAL,
    )


def insurer_client() -> AsyncClient:
    return AsyncClient(base_url=settings.INSURER_URL, timeout=settings.INSURER_TOTAL)  #! ISO-X2


def sms_client() -> AsyncClient:
    return AsyncClient(
        base_url=settings.SMS_URL,
        timeout=settings.SMS_TOTAL,
        limits=httpx.Limits(max_connections=50, max_keepalive_connections=10),  #! CFG-X1
    )


def plain_download(url: str) -> bytes:
    return httpx.get(url, timeout=None).content  #! TO-X1


def bounded_download(url: str) -> bytes:
    return httpx.get(url, timeout=settings.LAB_TOTAL).content  # looks like TO-X1
