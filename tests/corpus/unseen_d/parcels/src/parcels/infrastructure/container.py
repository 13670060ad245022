from __future__ import annotations

import asyncio
from dataclasses import dataclass

import httpx

from parcels.adapters.outbound.customs.adapter import CustomsAdapter
from parcels.adapters.outbound.nordpost.adapter import NordpostAdapter
from parcels.adapters.outbound.paywell.adapter import PaywellAdapter
from parcels.config import Customs, Nordpost, Paywell, SystemSettings
from parcels.infrastructure.breakers import nordpost_breaker


def limits(cfg: SystemSettings) -> httpx.Limits:
    return httpx.Limits(max_connections=cfg.max_connections)  # looks like CFG-X1


def timeout(cfg: SystemSettings) -> httpx.Timeout:
    return httpx.Timeout(cfg.read_timeout, connect=cfg.connect_timeout)  # looks like CFG-X1


def client_for(cfg) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=cfg.base_url, timeout=timeout(cfg), limits=limits(cfg))  # looks like ISO-X2


def bulk_client(cfg) -> httpx.AsyncClient:
    options = {"base_url": cfg.base_url, "follow_redirects": True}
    return httpx.AsyncClient(**options)  #! ISO-X2


def upload_client(cfg) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=cfg.base_url, limits=limits(cfg), timeout=httpx.Timeout(None))  #! ISO-X2


@dataclass
class Container:
    nordpost: NordpostAdapter
    customs: CustomsAdapter
    paywell: PaywellAdapter


def build(cache) -> Container:
    post_cfg, customs_cfg, pay_cfg = Nordpost(), Customs(), Paywell()
    http = client_for(post_cfg)
    carrier = NordpostAdapter(http, nordpost_breaker, asyncio.Semaphore(post_cfg.max_concurrent), post_cfg)
    customs = CustomsAdapter(http, customs_cfg)  #! ISO-X1
    payments = PaywellAdapter(client_for(pay_cfg), pay_cfg, cache)  # looks like ISO-X1
    return Container(nordpost=carrier, customs=customs, paywell=payments)
