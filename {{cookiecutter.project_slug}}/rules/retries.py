"""What runs under a retry: a library's policy, or a repetition written by hand."""

import ast

from .binding import CALLABLES, FUNCTIONS
from .policies import Policies
from .repeats import Repeats
from .resolver import Resolver
from .source import Source


class Retries:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver) -> None:
        self.source = source
        self.resolver = resolver
        self.repeats = Repeats(source, resolver)
        self.policies = Policies(source, resolver, self.repeats)
        self._under: dict[ast.AST, bool] = {}

    def policy(self, node: ast.AST | None) -> str:
        """The policy (`tenacity.retry`) that an expression is or makes, or nothing."""
        return self.policies.policy(node)

    def breaker(self, node: ast.AST | None) -> bool:
        """Whether an expression is a breaker or a bulkhead."""
        return self.policies.breaker(node)

    def under_retry(self, node: ast.AST) -> bool:
        """Whether a node is repeated by a retry: a policy's loop, a home-made one, or the function's decorator."""
        for parent in self.source.ancestors(node):
            if isinstance(parent, (ast.For, ast.AsyncFor)) and self.policy(parent.iter):
                return True
            if isinstance(parent, (ast.With, ast.AsyncWith)) and any(self.policy(i.context_expr) for i in parent.items):
                return True
            if isinstance(parent, CALLABLES):
                by_hand = self.repeats.loop_around(node) is not None or self.repeats.second_try(node)
                return by_hand or self._function(parent)
        return self.repeats.loop_around(node) is not None

    def _function(self, function: ast.AST) -> bool:
        known = self._under.get(function)
        if known is None:
            self._under[function] = False
            known = self._under[function] = self._find(function)
        return known

    def _find(self, function: ast.AST) -> bool:
        if isinstance(function, FUNCTIONS):
            if any(self.policy(d) for d in function.decorator_list):
                return True
            if any(self.under_retry(call) for call in self.resolver.callers(function)):
                return True
        if not isinstance(function, CALLABLES):
            return False
        if self.repeats.again(function) is not None or self.repeats.until_it_works(function) is not None:
            return True
        return any(self.policy(call.func) for call in self.resolver.given_to(function))
