"""Looks at the running service from outside, and says where to send the first request."""

import ipaddress
import json
from http.client import HTTPConnection, HTTPException
from typing import Any

LOOK_TIMEOUT_S = 5.0


def get(host: str, port: int, path: str) -> tuple[int, Any]:
    """Return status and parsed body of a GET; status 0 where nobody answers. Proxies are not asked."""
    connection = HTTPConnection(_reachable(host), port, timeout=LOOK_TIMEOUT_S)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"null")
    except (OSError, HTTPException, ValueError):
        return 0, None
    finally:
        connection.close()


def creating_route(host: str, port: int) -> str | None:
    """Return the first route that creates something, from the service's own description of itself."""
    status, document = get(host, port, "/openapi.json")
    if status != 200:
        return None
    paths = document.get("paths", {})
    return next((path for path in sorted(paths) if "post" in paths[path] and "{" not in path), None)


def _reachable(host: str) -> str:
    """Return the address under which a server on `host` answers here: nobody can connect to "all of them"."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if not address.is_unspecified:
        return host
    return "127.0.0.1" if address.version == 4 else "::1"
