"""Clients for partners whose network is not what it should be."""
import httpx
import requests
from httpx import AsyncHTTPTransport, HTTPTransport
from httpx_retries import Retry, RetryTransport
from requests.adapters import HTTPAdapter
from urllib3.util import Retry as UrllibRetry

from app.core.config import SystemSettings
from app.core.http import limits_for, timeout_for


def insurance_client(cfg: SystemSettings) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(retries=cfg.retry_attempts, limits=limits_for(cfg))  #! RE-X4
    return httpx.AsyncClient(transport=transport, timeout=timeout_for(cfg), limits=limits_for(cfg))


def customs_client(cfg: SystemSettings) -> httpx.AsyncClient:
    mounts = {"https://": AsyncHTTPTransport(limits=limits_for(cfg), retries=cfg.retry_attempts)}  #! RE-X4
    return httpx.AsyncClient(mounts=mounts, timeout=timeout_for(cfg), limits=limits_for(cfg))


def broker_client(cfg: SystemSettings) -> httpx.AsyncClient:
    policy = Retry(total=cfg.retry_attempts, backoff_factor=cfg.retry_initial)
    return httpx.AsyncClient(transport=RetryTransport(retry=policy), timeout=timeout_for(cfg), limits=limits_for(cfg))  #! RE-X4


def archive_session(cfg: SystemSettings) -> requests.Session:
    session = requests.Session()
    policy = UrllibRetry(total=cfg.retry_attempts, backoff_factor=cfg.retry_initial)
    session.mount("https://", HTTPAdapter(max_retries=policy))  #! RE-X4
    return session


def port_client(cfg: SystemSettings) -> httpx.Client:
    return httpx.Client(transport=HTTPTransport(retries=cfg.retry_attempts), timeout=timeout_for(cfg), limits=limits_for(cfg))  #! RE-X4


def vault_client(cfg: SystemSettings, socket_path: str) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(uds=socket_path, limits=limits_for(cfg))
    return httpx.AsyncClient(transport=transport, timeout=timeout_for(cfg), limits=limits_for(cfg))


def metrics_client(cfg: SystemSettings) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(retries=0, limits=limits_for(cfg))
    return httpx.AsyncClient(transport=transport, timeout=timeout_for(cfg), limits=limits_for(cfg))


def plain_session(pool_size: int) -> requests.Session:
    session = requests.Session()
    session.mount("https://", HTTPAdapter(pool_connections=pool_size, pool_maxsize=pool_size, max_retries=0))
    return session
