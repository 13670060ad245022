"""Everything a rule may ask about one file, made when it is first asked for."""

from functools import cached_property

from .conditions import Conditions
from .deadlines import Deadlines
from .http_calls import HttpCalls
from .modules import Modules
from .paces import Paces
from .resolver import Resolver
from .retries import Retries
from .roles import Roles
from .sleeps import Sleeps
from .source import Source
from .values import Values


class View:
    """A source with the answers that rules share."""

    def __init__(self, source: Source, elsewhere: Modules | None = None) -> None:
        self.source = source
        self.resolver = Resolver(source, elsewhere)
        self.values = Values(source, self.resolver, elsewhere)

    @cached_property
    def roles(self) -> Roles:
        """Which part of a service the file, a class or a function is."""
        return Roles(self.source, self.resolver)

    @cached_property
    def sleeps(self) -> Sleeps:
        """Calls that sleep, and for how long."""
        return Sleeps(self.source, self.resolver, self.values)

    @cached_property
    def http(self) -> HttpCalls:
        """Calls that leave the process over HTTP."""
        return HttpCalls(self.source, self.resolver, self.values)

    @cached_property
    def deadlines(self) -> Deadlines:
        """What bounds a call in time."""
        return Deadlines(self.source, self.resolver, self.values)

    @cached_property
    def retries(self) -> Retries:
        """Retry policies, and what runs under one."""
        return Retries(self.source, self.resolver)

    @cached_property
    def conditions(self) -> Conditions:
        """What a retry is for."""
        return Conditions(self.source, self.resolver, self.values)

    @cached_property
    def paces(self) -> Paces:
        """How the waits between attempts go."""
        return Paces(self.source, self.resolver, self.values, self.sleeps)
