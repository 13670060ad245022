"""The libraries whose calls leave the process: their clients, their shortcuts, and how each says how long it may take."""

import re

METHODS = {"get", "post", "put", "patch", "delete", "head", "options"}
SENDING = METHODS | {"request", "stream", "send", "ws_connect", "urlopen"}
WRITES = {"post", "put", "patch", "delete"}
HTTPX = {"httpx.AsyncClient", "httpx.Client"}
CLIENTS = HTTPX | {
    "aiohttp.ClientSession",
    "aiohttp.client.ClientSession",
    "requests.Session",
    "requests.sessions.Session",
    "requests.session",
    "urllib3.PoolManager",
    "urllib3.ProxyManager",
    "urllib3.HTTPSConnectionPool",
    "urllib3.HTTPConnectionPool",
}
SHORTCUTS = re.compile(
    r"^(httpx|requests|requests\.api|urllib3|aiohttp)\.(?P<method>get|post|put|patch|delete|head|options|request|stream)$"
)
OTHERS = {  # calls that connect or send, by name
    "urllib.request.urlopen": "get",
    "asyncio.open_connection": "connect",
    "anyio.connect_tcp": "connect",
    "trio.open_tcp_stream": "connect",
    "websockets.connect": "connect",
    "websockets.client.connect": "connect",
}
OWN_TIMEOUT = ("requests", "urllib", "urllib3", "aiohttp", "websockets")  # `timeout=` of these bounds the whole wait
BLOCKING = ("requests", "urllib", "urllib3")
LOCAL_TRANSPORTS = ("ASGITransport", "WSGITransport", "MockTransport")
CLIENT_NAME = re.compile(r"^_*((async_?)?(http|https|httpx|rest|api|web)?_?client|http|https|httpx)$", re.IGNORECASE)
URL_NAME = re.compile(r"(url|uri|path|endpoint|href|link)s?$", re.IGNORECASE)
SENDS = (
    *(f".{method}" for method in sorted(METHODS)),
    ".request",
    ".send",
    ".stream",
    "getattr",
    "httpx",
    "urlopen",
    "open_connection",
    "connect_tcp",
    "websockets",
)
