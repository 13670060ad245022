"""The systems' own API: submit an operation, ask what became of it, ask for health."""

import asyncio
import json
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from aiohttp import web

from . import faults
from .behaviour import Behaviour
from .system import SimulatedSystem

KEY_HEADER = "Idempotency-Key"
ACCEPTED, OK, BAD_REQUEST, NOT_FOUND = 202, 200, 400, 404


class Provider:
    """Answers the requests to all simulated systems."""

    def __init__(self, systems: Mapping[str, SimulatedSystem]) -> None:
        self._systems = systems
        self._dice = random.SystemRandom()

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes below each system's prefix."""
        return [
            web.post("/{system}/operations", self.submit),
            web.get("/{system}/operations/{operation_id}", self.poll),
            web.get("/{system}/health", self.health),
        ]

    async def submit(self, request: web.Request) -> web.StreamResponse:
        """Carry out an operation, once per key."""
        system = self._system(request)
        system.counters.calls += 1
        key = request.headers.get(KEY_HEADER, "")
        if key:
            system.see(key)
        with _in_flight(system):
            behaviour = system.behaviour
            body = await request.read()
            if failure := await self._failure(request, behaviour):
                return failure
            reference = _reference(body)
            if not key:
                return _error(BAD_REQUEST, f"the header {KEY_HEADER} is required")
            if reference is None:
                return _error(BAD_REQUEST, 'the body must be {"reference": "<text>", "payload": {...}}')
            operation = system.carry_out(key, reference)
            document = {"id": operation.operation_id, "status": operation.status}
            return await _spoilt(request, behaviour, ACCEPTED, document)

    async def poll(self, request: web.Request) -> web.StreamResponse:
        """Say what became of an operation."""
        system = self._system(request)
        system.counters.polls += 1
        with _in_flight(system):
            behaviour = system.behaviour
            if failure := await self._failure(request, behaviour):
                return failure
            operation = system.operations.get(request.match_info["operation_id"])
            if operation is None:
                return _error(NOT_FOUND, "there is no such operation")
            system.decide(operation)
            return await _spoilt(request, behaviour, OK, operation.document())

    async def health(self, request: web.Request) -> web.StreamResponse:
        """Say that the system is up; with `health` set, suffer as the rest does."""
        system = self._system(request)
        system.counters.probes += 1
        behaviour = system.behaviour
        document = {"status": "ok"}
        if not behaviour.health:
            return web.json_response(document)
        return await self._failure(request, behaviour) or await _spoilt(request, behaviour, OK, document)

    async def _failure(self, request: web.Request, behaviour: Behaviour) -> web.StreamResponse | None:
        """Wait for the latency, then fail as told; None means that the request is carried out."""
        await asyncio.sleep(behaviour.latency)
        if self._dice.random() < behaviour.error_rate:
            return _error(behaviour.status, "the simulator was told to fail", _retry_after(behaviour))
        match behaviour.fault:
            case "hang":
                return await faults.hang(request)
            case "disconnect_before":
                return await faults.disconnect(request)
        return None

    def _system(self, request: web.Request) -> SimulatedSystem:
        system = self._systems.get(request.match_info["system"])
        if system is None:
            raise web.HTTPNotFound(text=f"there is no system {request.match_info['system']!r}\n")
        return system


@contextmanager
def _in_flight(system: SimulatedSystem) -> Iterator[None]:
    system.in_flight += 1
    try:
        yield
    finally:
        system.in_flight -= 1


async def _spoilt(
    request: web.Request, behaviour: Behaviour, status: int, document: Mapping[str, object]
) -> web.StreamResponse:
    """Answer, in the way that the fault demands."""
    match behaviour.fault:
        case "disconnect_after":
            return await faults.disconnect(request)
        case "drip":
            return await faults.drip(request, status, document)
        case "half_body":
            return await faults.half_body(request, status, document)
        case "malformed":
            return faults.malformed(status, document)
        case "gzip_bomb":
            return faults.gzip_bomb(status)
    return web.json_response(document, status=status)


def _reference(body: bytes) -> str | None:
    """Return the reference of a submission, None if the submission is not as the contract says."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return None
    match document:
        case {"reference": str(reference), "payload": dict(), **rest} if not rest and reference:
            return reference
    return None


def _retry_after(behaviour: Behaviour) -> dict[str, str]:
    match behaviour.retry_after:
        case None:
            return {}
        case float(seconds):
            return {"Retry-After": f"{seconds:g}"}
        case text:
            return {"Retry-After": text}


def _error(status: int, message: str, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.json_response({"error": message}, status=status, headers=headers)
