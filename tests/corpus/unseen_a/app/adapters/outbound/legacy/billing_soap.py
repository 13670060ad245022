"""The old billing still speaks over a handful of plain endpoints."""
import json
import urllib.request
from typing import Any

import requests
from httpx import AsyncClient, Timeout

from app.core.config import settings
from app.core.http import limits_for

session = requests.Session()


def fetch_tariff(code: str) -> dict[str, Any]:
    response = requests.get(f"{settings.rates.base_url}/tariffs/{code}")  #! TO-X1
    response.raise_for_status()
    return response.json()


def post_invoice(number: str, lines: list[dict[str, Any]]) -> str:
    payload = json.dumps({"number": number, "lines": lines})
    reply = session.post(settings.rates.base_url + "/invoices", data=payload, timeout=settings.rates.read_timeout)
    return reply.headers["Location"]


def open_ledger(period: str) -> bytes:
    with urllib.request.urlopen(f"{settings.rates.base_url}/ledger/{period}.csv") as handle:  #! TO-X1
        return handle.read()


def read_catalogue() -> list[dict[str, Any]]:
    reply = requests.get(
        f"{settings.rates.base_url}/catalogue",
        timeout=(settings.rates.connect_timeout, settings.rates.read_timeout),
    )
    return reply.json()


def streaming_client() -> AsyncClient:
    return AsyncClient(base_url=settings.rates.base_url, timeout=None, limits=limits_for(settings.rates))  #! ISO-X2


def export_client() -> AsyncClient:
    return AsyncClient(base_url=settings.rates.base_url, limits=limits_for(settings.rates), timeout=Timeout(None))  #! ISO-X2


def download(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=settings.rates.read_timeout) as handle:
        return handle.read()
