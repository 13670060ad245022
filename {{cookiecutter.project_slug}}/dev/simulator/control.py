"""The simulator's own API: set a behaviour, set everything back, read what reached a system."""

from collections.abc import Mapping

from aiohttp import web
from pydantic import ValidationError

from .behaviour import Behaviour
from .system import SimulatedSystem

PATH = "/_simulator/{system}"
UNPROCESSABLE = 422


class Control:
    """Answers requests about the simulated systems."""

    def __init__(self, systems: Mapping[str, SimulatedSystem]) -> None:
        self._systems = systems

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes below `/_simulator/`."""
        return [web.put(PATH, self.behave), web.delete(PATH, self.reset), web.get(PATH, self.proof)]

    async def behave(self, request: web.Request) -> web.Response:
        """Replace the behaviour; what has begun goes on as it began."""
        system = self._system(request)
        try:
            system.behaviour = Behaviour.model_validate_json(await request.read() or b"{}")
        except ValidationError as error:
            faults = [
                {"field": ".".join(map(str, fault["loc"])), "message": fault["msg"]}
                for fault in error.errors(include_url=False, include_input=False, include_context=False)
            ]
            return web.json_response({"errors": faults}, status=UNPROCESSABLE)
        return web.json_response(system.behaviour.model_dump())

    async def reset(self, request: web.Request) -> web.Response:
        """Set behaviour and counters back; operations and keys stay."""
        self._system(request).reset()
        return web.Response(status=204)

    async def proof(self, request: web.Request) -> web.Response:
        """Return the counters and the behaviour."""
        return web.json_response(self._system(request).proof())

    def _system(self, request: web.Request) -> SimulatedSystem:
        name = request.match_info["system"]
        system = self._systems.get(name)
        if system is None:
            known = ", ".join(sorted(self._systems))
            raise web.HTTPNotFound(text=f"there is no system {name!r}; there are: {known}\n")
        return system
