"""Everything a rule may ask about one file, made when it is first asked for."""

import ast
from functools import cached_property

from .conditions import Conditions
from .deadlines import Deadlines
from .http_calls import HttpCalls
from .modules import Modules
from .paces import Paces
from .resolver import Resolver
from .retries import Retries
from .roles import Roles
from .row_counts import RowCounts
from .selects import Selects
from .sharing import Sharing
from .sleeps import Sleeps
from .source import Source
from .values import Values


class View:
    """A source with the answers that rules share."""

    def __init__(self, source: Source, elsewhere: Modules | None = None) -> None:
        self.source = source
        self.resolver = Resolver(source, elsewhere)
        self._senders: dict[ast.AST, bool] = {}
        self.values = Values(source, self.resolver, elsewhere)

    @cached_property
    def roles(self) -> Roles:
        """Which part of a service the file, a class or a function is."""
        return Roles(self.source, self.resolver)

    def in_adapter(self, node: ast.AST) -> bool:
        """Whether a node belongs to an adapter: by its place, its class's name, or because its class sends."""
        if self.roles.in_adapter(node):
            return True
        owner = self.source.owner(node)
        if owner is None or self.roles.request_file or self.roles.in_repository(node):
            return False
        if owner not in self._senders:
            sent = (self.http.outbound(n) for n in ast.walk(owner) if isinstance(n, ast.Call))
            self._senders[owner] = any(s is not None and s.certain for s in sent)
        return self._senders[owner]

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

    @cached_property
    def selects(self) -> Selects:
        """Statements that are built of calls."""
        return Selects(self.source, self.resolver, self.values)

    @cached_property
    def row_counts(self) -> RowCounts:
        """Counts of attempts in rows."""
        return RowCounts(self.source)

    @cached_property
    def sharing(self) -> Sharing:
        """What two external systems share."""
        return Sharing(self.source, self.resolver, self.values)
