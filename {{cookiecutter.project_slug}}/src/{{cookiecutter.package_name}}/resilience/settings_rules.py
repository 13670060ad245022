"""Rules between the numbers of one system, which no single field can see. Each message names variable and rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from .settings import ClientSettings

MAX_CONNECT_S = 10.0
"""R-RES-TO-1: beyond, the network is broken and waiting does not mend it."""

MAX_READ_S = 60.0
"""R-RES-TO-X3: longer waiting is a task."""

TOTAL_OVER_PARTS_S = 1.0
"""R-RES-TO-1: `total >= connect + read + 1 s`."""

MAX_BULKHEAD_NUMERATOR, MAX_BULKHEAD_DENOMINATOR = 5, 6
"""R-RES-BH-3 and R-RES-ISO-2 together: the bulkhead is at most 5/6 of the pool."""

MAX_BULKHEAD_WAIT_S = 0.1
"""R-RES-BH-3: waits at most 100 ms, then rejects."""

MAX_ATTEMPTS = 5
"""R-RES-RE-3: the ceiling."""

OPEN_MAX_S, OPEN_MAX_FACTOR = 120.0, 4
"""The default of BREAKER_OPEN_MAX, and what it is of BREAKER_OPEN: two doublings. Longer pauses cost more recovery."""


def followed_defaults(s: ClientSettings) -> Iterator[tuple[str, float]]:
    """Yield the defaults that give way to a neighbour which was set: who shortens one number need not know them all."""
    candidates = (
        ("connect_timeout", s.connect_timeout >= s.read_timeout, s.read_timeout / 2),
        ("breaker_min_calls", s.breaker_min_calls > s.breaker_window, s.breaker_window),
        ("breaker_open_max", s.breaker_open_max == OPEN_MAX_S, s.breaker_open * OPEN_MAX_FACTOR),
        ("breaker_open_max", s.breaker_open_max < s.breaker_open, s.breaker_open),
        ("retry_backoff_max", s.retry_backoff_max < s.retry_backoff, s.retry_backoff),
        ("health_timeout", s.health_timeout >= s.health_ttl, s.health_ttl / 2),
    )
    for name, gives_way, value in candidates:
        if gives_way and name not in s.model_fields_set:
            yield name, value


def broken_rules(settings: ClientSettings, prefix: str) -> list[str]:
    """Return one message per broken rule, all of them at once; each begins with the variable's full name."""
    checks = (_address, _time, _room, _breaker_and_retry, _access)
    return [f"{prefix}{message}" for check in checks for message in check(settings)]


def _address(s: ClientSettings) -> Iterator[str]:
    yield from _url("BASE_URL", s.base_url)
    if s.oauth_token_url is not None:
        yield from _url("OAUTH_TOKEN_URL", s.oauth_token_url)


def _url(variable: str, value: str) -> Iterator[str]:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        yield f"{variable} is no address (R-RES-CFG-1)"
        return
    if not usable:
        yield f"{variable} must be http://host... or https://host... (R-RES-CFG-1)"
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        yield f"{variable} must carry no credentials, query or fragment: it appears in logs and spans (R-RES-CFG-1)"


def _time(s: ClientSettings) -> Iterator[str]:
    connect, read, total = s.connect_timeout, s.read_timeout, s.total_timeout
    if connect > MAX_CONNECT_S:
        yield f"CONNECT_TIMEOUT={connect:g} is over {MAX_CONNECT_S:g} s (R-RES-TO-1)"
    if read > MAX_READ_S:
        yield f"READ_TIMEOUT={read:g} is over {MAX_READ_S:g} s: what takes longer is a task (R-RES-TO-X3)"
    if connect >= read:
        yield f"CONNECT_TIMEOUT={connect:g} must be below READ_TIMEOUT={read:g} (R-RES-TO-1)"
    if total <= read or total <= connect:
        yield f"TOTAL_TIMEOUT={total:g} must be over READ_TIMEOUT={read:g} and CONNECT_TIMEOUT (R-RES-TO-X2)"
    if total < connect + read + TOTAL_OVER_PARTS_S:
        needed = connect + read + TOTAL_OVER_PARTS_S
        yield f"TOTAL_TIMEOUT={total:g} must be at least CONNECT_TIMEOUT + READ_TIMEOUT + 1 = {needed:g} (R-RES-TO-1)"


def _room(s: ClientSettings) -> Iterator[str]:
    calls, connections = s.max_concurrent, s.max_connections
    if connections < calls:
        yield f"MAX_CONNECTIONS={connections} is below MAX_CONCURRENT={calls} (R-RES-ISO-2)"
    elif calls * MAX_BULKHEAD_DENOMINATOR > connections * MAX_BULKHEAD_NUMERATOR:
        yield f"MAX_CONCURRENT={calls} is over 5/6 of MAX_CONNECTIONS={connections} (R-RES-BH-3, R-RES-ISO-2)"
    if s.bulkhead_wait > MAX_BULKHEAD_WAIT_S:
        yield f"BULKHEAD_WAIT={s.bulkhead_wait:g} is over {MAX_BULKHEAD_WAIT_S:g} s (R-RES-BH-3)"


def _breaker_and_retry(s: ClientSettings) -> Iterator[str]:
    if s.breaker_min_calls > s.breaker_window:
        yield f"BREAKER_MIN_CALLS={s.breaker_min_calls} is over BREAKER_WINDOW={s.breaker_window} (R-RES-CB-2)"
    if s.breaker_open_max < s.breaker_open:
        yield f"BREAKER_OPEN_MAX={s.breaker_open_max:g} is below BREAKER_OPEN={s.breaker_open:g} (R-RES-CB-4)"
    if s.retry_attempts > MAX_ATTEMPTS:
        yield f"RETRY_ATTEMPTS={s.retry_attempts} is over {MAX_ATTEMPTS} (R-RES-RE-3)"
    if s.retry_backoff_max < s.retry_backoff:
        yield f"RETRY_BACKOFF_MAX={s.retry_backoff_max:g} is below RETRY_BACKOFF={s.retry_backoff:g} (R-RES-RE-X3)"
    if s.health_timeout >= s.health_ttl:
        yield f"HEALTH_TIMEOUT={s.health_timeout:g} must be below HEALTH_TTL={s.health_ttl:g} (R-RES-HC-2)"


def _access(s: ClientSettings) -> Iterator[str]:
    oauth = {
        "OAUTH_TOKEN_URL": s.oauth_token_url,
        "OAUTH_CLIENT_ID": s.oauth_client_id,
        "OAUTH_CLIENT_SECRET": s.oauth_client_secret,
    }
    missing = [name for name, value in oauth.items() if not value]
    if 0 < len(missing) < len(oauth):
        yield f"{missing[0]} is missing: the OAuth2 token needs {', '.join(oauth)} together (R-RES-CFG-1)"
    if s.auth_value is not None and len(missing) < len(oauth):
        yield "AUTH_VALUE and OAUTH_* exclude each other: one kind of credentials per system (R-RES-CFG-1)"
    if s.auth_value is not None and not _fits_a_header(s.auth_value.get_secret_value()):
        yield "AUTH_VALUE is empty or no header can carry it; a mounted secret often ends in a line break (R-RES-CFG-1)"
    if s.oauth_client_secret is not None and (secret := s.oauth_client_secret.get_secret_value()) != secret.strip():
        yield "OAUTH_CLIENT_SECRET begins or ends with white space (R-RES-CFG-1)"
    if s.client_key is not None and s.client_certificate is None:
        yield "CLIENT_KEY needs CLIENT_CERTIFICATE (R-RES-CFG-1)"
    for name, path in (
        ("CA_BUNDLE", s.ca_bundle),
        ("CLIENT_CERTIFICATE", s.client_certificate),
        ("CLIENT_KEY", s.client_key),
    ):
        if path is not None and not path.is_file():
            yield f"{name}={path} is no file (R-RES-CFG-1)"
    if s.proxy is not None and urlsplit(s.proxy.get_secret_value()).scheme not in ("http", "https"):
        yield "PROXY must be http://host:port or https://host:port (R-RES-CFG-1)"


def _fits_a_header(value: str) -> bool:
    return value.isascii() and value.isprintable() and value == value.strip() != ""
