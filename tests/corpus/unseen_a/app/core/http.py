"""Builders for what every outbound client needs."""
import httpx

from app.core.config import SystemSettings


def timeout_for(system: SystemSettings) -> httpx.Timeout:
    return httpx.Timeout(
        connect=system.connect_timeout,
        read=system.read_timeout,
        write=system.read_timeout,
        pool=system.connect_timeout,
    )


def limits_for(system: SystemSettings) -> httpx.Limits:
    return httpx.Limits(
        max_connections=system.max_connections,
        max_keepalive_connections=system.max_keepalive,
    )


def build_client(system: SystemSettings) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=system.base_url,
        timeout=timeout_for(system),
        limits=limits_for(system),
        headers={"Accept": "application/json"},
    )
