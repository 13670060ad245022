"""Ports of the launcher: given, by default, or free ones; a taken one is one clear line."""

import errno
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass

from .project import DevError

LOOPBACK = "127.0.0.1"
DEFAULTS = {"HTTP__PORT": 8000, "HTTP__MANAGEMENT_PORT": 8001, "SIMULATOR_PORT": 8100}
HIGHEST = 65_535
CLEARING_UP_S = 1.0
"""A launcher that was killed just now still has its children ended by its reaper."""

PAUSE_S = 0.05


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the three servers listen."""

    api: int
    management: int
    simulator: int


def choose_ports(environment: Mapping[str, str]) -> Ports:
    """Return the ports that the variables name, or the defaults; 0 becomes a free one.

    Raises:
        DevError: a port is no number, is wanted twice or is taken.
    """
    wanted = {
        variable: _number(variable, environment.get(variable) or str(port)) for variable, port in DEFAULTS.items()
    }
    users: dict[int, str] = {}
    for variable, port in wanted.items():
        if port and (other := users.setdefault(port, variable)) != variable:
            raise DevError(f"{other} and {variable} are both {port}: set one of them to another port, or to 0")
    hosts = {
        "HTTP__PORT": environment.get("HTTP__HOST") or LOOPBACK,
        "HTTP__MANAGEMENT_PORT": environment.get("HTTP__MANAGEMENT_HOST") or LOOPBACK,
        "SIMULATOR_PORT": LOOPBACK,
    }
    held: list[socket.socket] = []
    try:
        # Given ports first, and all held until the last is known, so that no free one is chosen twice.
        for variable, port in sorted(wanted.items(), key=lambda item: item[1] == 0):
            held.append(_hold(variable, hosts[variable], port))
            wanted[variable] = held[-1].getsockname()[1]
    finally:
        for listener in held:
            listener.close()
    return Ports(wanted["HTTP__PORT"], wanted["HTTP__MANAGEMENT_PORT"], wanted["SIMULATOR_PORT"])


def _number(variable: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > HIGHEST:
        raise DevError(f"{variable} is {text!r}: set it to a number from 0 (any free port) to {HIGHEST}")
    return int(text)


def _hold(variable: str, host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    give_up = time.monotonic() + CLEARING_UP_S
    while True:
        try:
            listener.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < give_up:
                time.sleep(PAUSE_S)
                continue
            listener.close()
            raise DevError(
                f"port {port} on {host} is not to be had ({error.strerror}): set {variable} to another one, or to 0"
            ) from error
        return listener
