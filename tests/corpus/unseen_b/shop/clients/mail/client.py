"""Mail: one module, plain functions."""
import asyncio
import logging
from dataclasses import dataclass, field
from enum import Enum, auto

import attrs
import httpx
import stamina
from tenacity import AsyncRetrying, retry, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from shop import conf
from shop.resilience import TRANSIENT, retries

logger = logging.getLogger(__name__)


class Delivery(Enum):
    DELIVERED = auto()
    REJECTED = auto()
    UNKNOWN = auto()


@dataclass
class Ack:
    accepted: bool
    reference: str = ""


async def _submit(http: httpx.AsyncClient, message: dict) -> httpx.Response:
    async with asyncio.timeout(conf.mail.total):
        response = await http.post("/messages", json=message)  #! RE-X1
    response.raise_for_status()
    return response


@retries(conf.mail)
async def send(http: httpx.AsyncClient, to: str, subject: str, html: str) -> str:
    response = await _submit(http, {"to": to, "subject": subject, "html": html})
    return response.json()["id"]


async def send_template(http: httpx.AsyncClient, to: str, template: str) -> str:
    async for attempt in stamina.retry_context(on=TRANSIENT, attempts=conf.mail.attempts):
        with attempt:
            async with asyncio.timeout(conf.mail.total):
                response = await http.post(f"/templates/{template}/send", json={"to": to})  #! RE-X1
    return response.json()["id"]


async def subscribe(http: httpx.AsyncClient, address: str) -> None:
    policy = dict(stop=stop_after_attempt(conf.mail.attempts), wait=wait_random_exponential(max=conf.mail.backoff_cap))
    caller = AsyncRetrying(retry=retry_if_exception_type(TRANSIENT), **policy)
    await caller(_submit, http, {"kind": "subscribe", "address": address})


@retry(retry=retry_if_exception_type(TRANSIENT), stop=stop_after_attempt(conf.mail.attempts), wait=wait_random_exponential(max=conf.mail.backoff_cap))
async def update_profile(http: httpx.AsyncClient, address: str, **fields: str) -> None:
    async with asyncio.timeout(conf.mail.total):
        await http.request("PATCH", f"/profiles/{address}", json=fields)  #! RE-X1


async def campaign(http: httpx.AsyncClient, name: str, key: str) -> str:
    async for attempt in stamina.retry_context(on=TRANSIENT, attempts=conf.mail.attempts):
        with attempt:
            async with asyncio.timeout(conf.mail.total):
                response = await http.post("/campaigns", json={"name": name}, headers={"Idempotency-Key": key})
    return response.json()["id"]


async def try_send(http: httpx.AsyncClient, message: dict) -> Ack:
    try:
        response = await _submit(http, message)
    except (httpx.HTTPError, TimeoutError):
        logger.exception("mail not sent")
        return Ack(accepted=True)  #! FB-X2
    return Ack(accepted=True, reference=response.json()["id"])


async def deliver(http: httpx.AsyncClient, message: dict) -> Delivery:
    try:
        await _submit(http, message)
    except httpx.HTTPStatusError:
        return Delivery.REJECTED
    except Exception as exc:
        logger.warning("provider: %r", exc)
        return Delivery.DELIVERED  #! FB-X2
    return Delivery.DELIVERED


async def ensure_sent(http: httpx.AsyncClient, message: dict) -> Ack:
    try:
        response = await _submit(http, message)
    except (httpx.HTTPError, TimeoutError):
        return Ack(accepted=False)
    return Ack(accepted=response.is_success, reference=response.json()["id"])


@dataclass
class MailBox:
    user: str
    http: httpx.AsyncClient = field(default_factory=httpx.AsyncClient)  #! ISO-X2


@attrs.define
class MailArchive:
    user: str
    http: httpx.AsyncClient = attrs.field(factory=lambda: httpx.AsyncClient(http2=True))  #! ISO-X2
