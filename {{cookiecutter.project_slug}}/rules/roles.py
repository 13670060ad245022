"""Which part of a service a file, a class or a function is: by path, by class name, by decorator."""

import ast
import re
from collections.abc import Iterator

from .binding import CALLABLES, FUNCTIONS, Function
from .resolver import Resolver
from .source import Source
from .syntax import last_name

REQUEST_FOLDERS = {
    "inbound",
    "routers",
    "router",
    "routes",
    "endpoints",
    "views",
    "controllers",
    "handlers",
    "use_cases",
    "usecases",
    "interactors",
    "commands",
    "queries",
    "api",
    "web",
}
REQUEST_FILES = {
    "routes.py",
    "router.py",
    "routers.py",
    "views.py",
    "endpoints.py",
    "use_cases.py",
    "usecases.py",
    "controllers.py",
}
REQUEST_CLASS = re.compile(r"(UseCase|Interactor|CommandHandler|QueryHandler|RequestHandler|Controller|Endpoint|View)$")
REQUEST_BASES = re.compile(r"(HTTPEndpoint|WebSocketEndpoint|BaseHTTPMiddleware|MethodView|UseCase|Interactor)$")
REQUEST_TYPES = re.compile(
    r"^(starlette|fastapi|aiohttp|litestar|quart|sanic)\b.*\b(Request|WebSocket|HTTPConnection)$"
)
REGISTERS = {"Depends", "Security", "add_api_route", "add_route", "add_api_websocket_route", "Route", "WebSocketRoute"}
REQUEST_WORDS = ("router", "@app.", "UseCase", "Interactor", "Handler", "Controller", "Endpoint", "Request", "Depends")
ADAPTER_FOLDERS = {"outbound", "integrations", "external"}
REPOSITORY_FOLDERS = {"repositories", "repository", "db", "database", "persistence", "dao", "domain"}
ROUTES = {"get", "post", "put", "patch", "delete", "head", "options", "trace", "api_route", "route", "websocket"}
BACKGROUND = ("create_task", "add_task", "start_soon", "ensure_future", "spawn", "add_job")
REPOSITORY_CLASS = re.compile(r"(Repository|Repo|UnitOfWork|Dao|DAO)$")
ADAPTER_CLASS = re.compile(r"(Adapter|Gateway|Connector)$")
PROBE_CLASS = re.compile(r"(Health|HealthIndicator|HealthChecker?|Probe|Readiness|ReadinessCheck|Liveness|Heartbeat)$")
PROBE_FILE = re.compile(r"(^|_)(health|probe|probes|health_?checks?)\.py$")
PROBE_NAME = re.compile(
    r"^_?((ping|probe|health|healthz|health_?check|healthcheck|readiness|ready|readyz|livez|liveness|is_alive|is_up|is_healthy)(_\w+)?"
    r"|\w+_(health|probe|health_?check|healthcheck|ping|readiness|liveness|alive|is_up)|check_\w*health\w*)$"
)
PROBE_TAKERS = re.compile(
    r"(HealthIndicator|HealthCheck|Indicator|(add|register)_(probe|health_?check|indicator|check))$"
)
GENERATED_FOLDERS = {
    "generated",
    "_generated",
    "gen",
    "autogen",
    "openapi_client",
    "generated_client",
}
GENERATED_HEAD = re.compile(
    r"^\s*(#|\"\"\"|).*(generated (by|from|with)|do not (edit|modify))", re.IGNORECASE | re.MULTILINE
)


class Roles:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver) -> None:
        self.source = source
        self.resolver = resolver
        folders = set(source.parts[:-1])
        name = source.parts[-1]
        self.generated = is_generated(source.text, source.parts)
        self.request_file = bool(folders & REQUEST_FOLDERS or name in REQUEST_FILES) and "outbound" not in folders
        self.adapter_file = bool(folders & ADAPTER_FOLDERS) and not folders & REPOSITORY_FOLDERS and not self.generated
        self.inner_file = bool(folders & {"domain", "application", "use_cases", "usecases", "inbound", "wiring"})
        self.repository_file = bool(
            folders & REPOSITORY_FOLDERS or name in ("repository.py", "repositories.py", "unit_of_work.py", "dao.py")
        )
        self.probe_file = bool(PROBE_FILE.search(name))
        self._requests: set[ast.AST] | None = None

    def is_route(self, function: ast.AST) -> bool:
        """Whether a function is registered as a route."""
        return isinstance(function, FUNCTIONS) and any(route_method(d) for d in function.decorator_list)

    def _is_entry(self, function: ast.AST) -> bool:
        """Whether a framework calls a function for a request: a route, a middleware, a dependency, a use case."""
        if not isinstance(function, FUNCTIONS):
            return False
        if self.is_route(function) or any(
            last_name(d) in ("middleware", "exception_handler") for d in function.decorator_list
        ):
            return True
        owner = self.source.owner(function)
        if owner is not None and (
            REQUEST_CLASS.search(owner.name) or any(REQUEST_BASES.search(b) for b in self.resolver.bases(owner))
        ):
            return True
        if any(REQUEST_TYPES.search(self.resolver.annotated(a.annotation)) for a in function.args.args if a.annotation):
            return True
        return any(
            last_name(c.func) in REGISTERS or (last_name(c.func).startswith("add_") and last_name(c.func)[4:] in ROUTES)
            for c in self.resolver.given_to(function)
        )

    def serves_requests(self, function: ast.AST | None) -> bool:
        """Whether a function runs within a request: by its file, as a route, or called from one in this file."""
        if function is None:
            return False
        if self._in_background(function):
            return False
        return self.request_file or function in self._serving()

    def _in_background(self, function: ast.AST) -> bool:
        """Whether a function runs beside the requests: started as a task, or part of the start-up."""
        if not isinstance(function, CALLABLES):
            return False
        if isinstance(function, FUNCTIONS):
            if any(last_name(d) in ("on_event", "asynccontextmanager", "lifespan") for d in function.decorator_list):
                return True
            calls = self.resolver.callers(function)
            started = [c for c in calls if last_name(self.source.parents.get(c)) in BACKGROUND]
            given = [c for c in self.resolver.given_to(function) if last_name(c.func) in BACKGROUND]
            return bool(started or given) and len(started) == len(calls)
        return False

    def in_adapter(self, node: ast.AST) -> bool:
        """Whether a node belongs to an adapter of an external system."""
        owner = self.source.owner(node)
        return self.adapter_file or (owner is not None and bool(ADAPTER_CLASS.search(owner.name)))

    def in_repository(self, node: ast.AST) -> bool:
        """Whether a node belongs to local work: a repository, SQL, the domain."""
        owner = node if isinstance(node, ast.ClassDef) else self.source.owner(node)
        return self.repository_file or (owner is not None and bool(REPOSITORY_CLASS.search(owner.name)))

    def in_probe(self, node: ast.AST) -> bool:
        """Whether a node belongs to a health probe."""
        owner = self.source.owner(node)
        if owner is not None and PROBE_CLASS.search(owner.name):
            return True
        if self._probes(self.source.function(node), 0):
            return True
        return self.probe_file

    def _probes(self, function: ast.AST | None, depth: int) -> bool:
        """Whether a function is a probe by its name, its mark or its route, is given to one, or is called by one."""
        if not isinstance(function, CALLABLES) or depth > 3:
            return False
        if any(PROBE_TAKERS.search(last_name(c.func)) for c in self.resolver.given_to(function)):
            return True
        if isinstance(function, ast.Lambda):
            return False
        if PROBE_NAME.match(function.name) or any(last_name(d) == "probe" for d in function.decorator_list):
            return True
        owner = self.source.owner(function)
        if owner is not None and PROBE_CLASS.search(owner.name):
            return True
        return any(self._probes(self.source.function(c), depth + 1) for c in self.resolver.callers(function))

    def _serving(self) -> set[ast.AST]:
        if self._requests is None:
            self._requests = set()
            todo: list[ast.AST] = [f for f in self.source.nodes(*FUNCTIONS) if self._is_entry(f)]
            while todo:
                function = todo.pop()
                if function in self._requests:
                    continue
                self._requests.add(function)
                todo.extend(self._reached(function))
        return self._requests

    def _reached(self, function: ast.AST) -> Iterator[Function | ast.Lambda]:
        for call in self.resolver.calls_in(function):
            if last_name(call.func) in ("create_task", "add_task", "start_soon"):
                continue
            called = self.resolver.function_of(call.func)
            if called is not None:
                yield called


def is_generated(text: str, parts: tuple[str, ...]) -> bool:
    """Whether a file is a generator's, by its folder or by what its first lines say."""
    head = text[:400]
    said = "enerated" in head or "edit" in head or "EDIT" in head or "odify" in head
    return bool(GENERATED_FOLDERS & set(parts[:-1])) or (said and GENERATED_HEAD.search(head) is not None)


def may_serve(text: str, parts: tuple[str, ...]) -> bool:
    """Whether a file can hold anything that runs within a request, by its place and its words."""
    return bool(set(parts) & (REQUEST_FOLDERS | REQUEST_FILES)) or any(word in text for word in REQUEST_WORDS)


def route_method(decorator: ast.expr) -> str:
    """The HTTP method of `@router.post("/x")`, or nothing when it is no route."""
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
        return ""
    method = decorator.func.attr
    if method not in ROUTES:
        return ""
    first = (
        decorator.args[0] if decorator.args else next((k.value for k in decorator.keywords if k.arg == "path"), None)
    )
    if isinstance(first, ast.Constant) and isinstance(first.value, str) and (not first.value or first.value[0] in "/{"):
        pass
    elif not re.search(r"(router|app|api|route|blueprint)s?$", last_name(decorator.func.value).lower()):
        return ""
    if method in ("api_route", "route"):
        methods = next((k.value for k in decorator.keywords if k.arg == "methods"), None)
        names = [e.value for e in getattr(methods, "elts", []) if isinstance(e, ast.Constant)]
        return str(names[0]).lower() if names else "get"
    return method
