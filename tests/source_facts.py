"""What a service's source says about itself: metrics, log events, settings and tests, read from the syntax tree."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

METRIC_TYPES = {"Counter": "counter", "Gauge": "gauge", "Histogram": "histogram"}
LOG_METHODS = {"debug": 0, "info": 0, "warning": 0, "error": 0, "exception": 0, "critical": 0, "log": 1}
"""Method of a logger -> position of the event among its arguments."""

UNKNOWN = "?"
"""For a default that is no literal: the page is then believed."""


@dataclass(frozen=True)
class Metric:
    """A metric as Prometheus shows it."""

    name: str
    kind: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Setting:
    """An environment variable with the literal of its default; None where a value is required."""

    variable: str
    default: object


def modules(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Parse every Python file below `folder`."""
    for path in sorted(folder.rglob("*.py")):
        yield path, ast.parse(path.read_text(), str(path))


def metrics(folder: Path) -> dict[str, Metric]:
    """Return the metrics that the modules below `folder` create."""
    found: dict[str, Metric] = {}
    for path, tree in modules(folder):
        constants = _constants(tree)
        kinds = _imported_metric_types(tree)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            kind = kinds.get(_name(call.func))
            if kind is None:
                continue
            name = _text(call.args[0], constants)
            assert name is not None, f"{path}:{call.lineno}: the name of a metric has to be a literal"
            labels = call.args[2] if len(call.args) > 2 else _keyword(call, "labelnames")
            if kind == "counter" and not name.endswith("_total"):
                name += "_total"
            found[name] = Metric(name, kind, tuple(_strings(labels, constants)))
    return found


def events(folder: Path) -> dict[str, Path]:
    """Return the log events of the modules below `folder`, each with a module that logs it."""
    found: dict[str, Path] = {}
    for path, tree in modules(folder):
        constants = _constants(tree)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if not isinstance(call.func, ast.Attribute) or not _name(call.func.value).endswith("logger"):
                continue
            position = LOG_METHODS.get(call.func.attr)
            if position is None:
                continue
            names = _alternatives(call.args[position], constants)
            assert names, f"{path}:{call.lineno}: a log event has to be a constant"
            found |= dict.fromkeys(names, path)
    return found


def settings(path: Path, cls: str) -> dict[str, object]:
    """Return field -> default of the settings class `cls` in the module at `path`; None for a required field."""
    tree = ast.parse(path.read_text(), str(path))
    constants = _literals(tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == cls:
            return {
                field.target.id: _default(field.value, constants)
                for field in node.body
                if isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and field.target.id != "model_config"
                and not field.target.id.startswith("_")
                and "ClassVar" not in ast.unparse(field.annotation)
            }
    raise AssertionError(f"{path}: there is no class {cls}")


def class_constants(path: Path, name: str) -> set[str]:
    """Return the texts that the classes of a module assign to their attribute `name`."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Constant(value=str(text))) if target == name:
                found.add(text)
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.Constant(value=str(text))) if target == name:
                found.add(text)
    return found


def environment_reads(folder: Path) -> set[str]:
    """Return the variables that the modules below `folder` read from `os.environ` by a literal name."""
    found = set[str]()
    for _, tree in modules(folder):
        constants = _constants(tree)
        for node in ast.walk(tree):
            name = None
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"os.environ.get", "os.getenv"}:
                name = _text(node.args[0], constants)
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
                name = _text(node.slice, constants)
            if name is not None:
                found.add(name)
    return found


def tests(path: Path) -> set[str]:
    """Return the names of the test functions of a module, those of its classes included."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, functions)}


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name):
            return name
    return ""


def _imported_metric_types(tree: ast.Module) -> dict[str, str]:
    """Return the names under which the module has Prometheus' types: `Counter` may be another one's."""
    return {
        alias.asname or alias.name: METRIC_TYPES[alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "prometheus_client"
        for alias in node.names
        if alias.name in METRIC_TYPES
    }


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _constants(tree: ast.Module) -> Mapping[str, ast.expr]:
    """Return what the module's names were assigned once."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = value
    return found


def _literals(tree: ast.Module) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in _constants(tree).items():
        try:
            found[name] = ast.literal_eval(value)
        except ValueError:
            continue
    return found


def _text(node: ast.expr | None, constants: Mapping[str, ast.expr]) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name) if name in constants:
            return _text(constants[name], {})
    return None


def _alternatives(node: ast.expr, constants: Mapping[str, ast.expr]) -> set[str]:
    """Return the texts that `node` may stand for: a literal, a name of one, a choice, values of a mapping.

    What an f-string puts in is shown by its name: `task.<outcome>`.
    """
    match node:
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), ast.FormattedValue(value=ast.Name(id=name))]):
            return {f"{start}<{name}>"}
        case ast.Constant(value=str(text)):
            return {text}
        case ast.IfExp(body=body, orelse=orelse):
            return _alternatives(body, constants) | _alternatives(orelse, constants)
        case ast.Name(id=name) if name in constants:
            return _alternatives(constants[name], {})
        case ast.Subscript(value=ast.Name(id=name)) if name in constants:
            return _alternatives(constants[name], {})
        case ast.Dict(values=values):
            return {text for value in values for text in _alternatives(value, constants)}
    return set()


def _strings(node: ast.expr | None, constants: Mapping[str, ast.expr]) -> list[str]:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [text for item in items if (text := _text(item, constants)) is not None]
        case ast.Name(id=name) if name in constants:
            return _strings(constants[name], {})
    return []


def _default(node: ast.expr | None, constants: Mapping[str, object]) -> object:
    match node:
        case None:
            return None
        case ast.Call(func=ast.Name(id="Field"), args=args):
            given = args[0] if args else next((k.value for k in node.keywords if k.arg == "default"), None)
            return _default(given, constants) if given is not None else _factory(node)
        case ast.Name(id=name) if name in constants:
            return constants[name]
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            match _default(left, constants), _default(right, constants):
                case int() | float() as one, int() | float() as other:
                    return one * other
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return UNKNOWN
    return "" if value is None else value


def _factory(node: ast.Call) -> object:
    return UNKNOWN if any(keyword.arg == "default_factory" for keyword in node.keywords) else None
