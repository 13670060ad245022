# {% raw %}
"""Renders every `*.jinja` source of the new project, all of them or none.

A source whose path holds `__system__`, `__aggregate__`, `__task__` or `__further_task__` becomes one file per such
thing, any other source becomes one file. Only files are touched: no network, no git, no clock.
"""

import hashlib
import json
import re
import shlex
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

MODEL_FILE = ".scaffold.json"  # written by pre_gen_project.py
SUFFIX = ".jinja"
KITS = ("resilience", "polling")  # template-owned folders of the package, the same bytes in every service
MANIFEST = "dev/kits.sha256"
PLACEHOLDER = re.compile(r"__(system|aggregate|task|further_task)__")
WRITERS = 4  # creating a file waits for the disk: four threads need half the time of one for a thousand files
LITERAL_WIDTH = 90  # columns of each part of a long text in Python
LINE_LENGTH = 120  # of the generated project's formatter
CACHES = ("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache")  # of the template's own developers
RENDERING_ERRORS = (TemplateError, TypeError, ValueError, AttributeError, LookupError, ArithmeticError)


class BrokenTemplateError(Exception):
    """Sources cannot be rendered; every argument is one line that names a source."""


# --- filters for sources ----------------------------------------------------------------------------------------


def quoted(value: object) -> str:
    """Returns the value as JSON that is also a TOML, YAML 1.1 and Python literal, whatever text it holds."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda found: f"\\u{ord(found.group()):04x}", text)


def assigned(text: str, name: str) -> str:
    """Returns the assignment of a text to a name in Python, over several lines where one is too long."""
    line = f"{name} = {_python_literal(text)}"
    if len(line) <= LINE_LENGTH:
        return line
    chunks, width = [""], 0
    for character in text:
        size = len(_python_literal(character)) - 2
        if width + size > LITERAL_WIDTH:
            chunks.append("")
            width = 0
        chunks[-1] += character
        width += size
    return f"{name} = (\n" + "".join(f"    {_python_literal(chunk)}\n" for chunk in chunks) + ")"


def _python_literal(text: str) -> str:
    """Quotes as the formatter does: with the kind of quotes that needs fewer escapes, else double."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    # Only what surely takes one column stays readable; everything else is escaped, or widths would be a guess.
    letters = (
        f"\\{letter}"
        if letter in (quote, "\\")
        else letter
        if letter.isprintable() and unicodedata.east_asian_width(letter) in ("N", "Na", "A", "H")
        else letter.encode("unicode_escape").decode()
        for letter in text
    )
    return f"{quote}{''.join(letters)}{quote}"


def markdown(text: str) -> str:
    """Returns the text as a Markdown block that shows it unchanged: a paragraph, or a fence where that would not."""
    plain = re.fullmatch(r"[^\s\\`*_{}\[\]<>#+\-!|~&=.)0-9][^\\`*_{}\[\]<>#|~&\n\r\t]*", text)
    if plain and not text.endswith(" ") and "  " not in text:
        return text
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def markdown_line(text: str) -> str:
    """Returns the text as one line of Markdown, for headings and table cells: white space folded, markup escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&])", r"\\\1", " ".join(text.split()))


def comment_line(text: str) -> str:
    """Returns the text as the rest of a `#` comment: one line, white space folded."""
    return " ".join(text.split())


def fit(line: str, indent: int = 0) -> str:
    """Returns a one-line statement as the formatter lays it out at that indent, its last brackets open if need be."""
    if indent + len(line) <= LINE_LENGTH:
        return line
    start, end = _last_brackets(line)
    head, inside, tail = line[: start + 1], line[start + 1 : end], line[end:]
    margin, inner = " " * indent, " " * (indent + 4)
    if len(inner) + len(inside) <= LINE_LENGTH:
        return f"{head}\n{inner}{inside}\n{margin}{tail}"
    parts = "".join(f"{inner}{part},\n" for part in _top_level_parts(inside))
    return f"{head}\n{parts}{margin}{tail}"


def _last_brackets(line: str) -> tuple[int, int]:
    """Finds the last bracket pair of the outermost level."""
    depth, start, found = 0, 0, (-1, -1)
    for position, character in _outside_strings(line):
        if character in "([{":
            if depth == 0:
                start = position
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                found = (start, position)
    if found == (-1, -1):
        raise ValueError(f"fit: no brackets to open in {line!r}")
    return found


def _top_level_parts(inside: str) -> list[str]:
    depth, parts, begin = 0, [], 0
    for position, character in _outside_strings(inside):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(inside[begin:position].strip())
            begin = position + 1
    parts.append(inside[begin:].strip())
    return [part for part in parts if part]


def _outside_strings(text: str) -> Iterator[tuple[int, str]]:
    quote = ""
    for position, character in enumerate(text):
        if quote:
            if character == quote and text[position - 1] != "\\":
                quote = ""
        elif character in "'\"":
            quote = character
        else:
            yield position, character


def imports(block: str) -> str:
    """Returns a block of imports sorted and wrapped as the formatter would; blank lines part its sections."""
    joined = re.sub(r"\(([^()]*)\)", lambda found: " ".join(found.group(1).split()).rstrip(","), block)
    sections = [_sorted_section(section) for section in re.split(r"\n\s*\n", joined) if section.strip()]
    return "\n".join(sections)


def _sorted_section(section: str) -> str:
    modules: set[str] = set()
    members: dict[str, set[str]] = {}
    for line in filter(None, map(str.strip, section.splitlines())):
        if found := re.fullmatch(r"import (\w+(?:\.\w+)*(?: as \w+)?)", line):
            modules.add(found.group(1))
        elif found := re.fullmatch(r"from ([\w.]+) import (\w+(?: as \w+)?(?:, ?\w+(?: as \w+)?)*)", line):
            members.setdefault(found.group(1), set()).update(re.split(r", ?", found.group(2)))
        else:
            raise ValueError(f"imports: not an import: {line!r}")
    lines = [f"import {module}\n" for module in sorted(modules, key=_module_key)]
    for module in sorted(members, key=_module_key):
        renamed = {name for name in members[module] if " as " in name}
        groups = [[name] for name in sorted(renamed, key=_member_key)]
        if plain := sorted(members[module] - renamed, key=_member_key):
            groups.append(plain)
        lines.extend(_from_line(module, names) for names in sorted(groups, key=lambda names: _member_key(names[0])))
    return "".join(lines)


def _from_line(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= LINE_LENGTH:
        return f"{line}\n"
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"


@cache
def _natural(name: str) -> tuple[tuple[int, int], ...]:
    """Sorts runs of digits by their value, everything else by character."""
    parts = re.findall(r"\d+|\D", name)
    return tuple((ord("0"), int(part)) if part.isdigit() else (ord(part), 0) for part in parts)


@cache
def _module_key(module: str) -> tuple[Any, ...]:
    dots = len(module) - len(module.lstrip("."))
    return (dots == 0, -dots, _natural(module.lower()), _natural(module))


@cache
def _member_key(name: str) -> tuple[Any, ...]:
    kind = 0 if len(name) > 1 and name.isupper() else 1 if name[:1].isupper() else 2
    return (kind, _natural(name.lower()), _natural(name))


# --- rendering ----------------------------------------------------------------------------------------------------


def linked(model: dict[str, Any]) -> dict[str, Any]:
    """Returns the variables of every source: the parsed answers, with tasks, aggregates and systems tied together."""
    systems = {item["name"]: SimpleNamespace(**item) for item in model["systems"]}
    aggregates = {item["name"]: SimpleNamespace(**item) for item in model["aggregates"]}
    tasks = [SimpleNamespace(**item) for item in model["tasks"]]
    for task in tasks:
        task.system = systems[task.system]
        task.aggregate = aggregates[task.aggregate]
        if task.is_first:
            task.aggregate.first_task = task
    return {
        "cookiecutter": model["cookiecutter"],
        "package": model["cookiecutter"]["package_name"],
        "systems": list(systems.values()),
        "aggregates": list(aggregates.values()),
        "tasks": tasks,
    }


def copies(path: str, variables: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the target path and the extra variables of every file that one source becomes."""
    kinds = set(PLACEHOLDER.findall(path))
    if not kinds:
        yield path, {}
        return
    if len(kinds) > 1:
        raise BrokenTemplateError(f"{path}:1: mixes the placeholders {', '.join(sorted(kinds))}")
    (kind,) = kinds
    name = "task" if kind == "further_task" else kind
    for item in variables[f"{name}s"]:
        if kind != "further_task" or not item.is_first:
            yield path.replace(f"__{kind}__", item.name), {name: item}


def find_sources(root: Path, kept: set[str]) -> list[str]:
    """Lists what is to be expanded; `kept` are files that lay in the folder before and are nobody's source."""
    paths = (path.relative_to(root) for path in root.rglob("*") if path.is_file() or path.is_symlink())
    return sorted(
        path.as_posix()
        for path in paths
        if path.parts[0] != ".git"
        and path.as_posix() not in kept
        and (path.suffix == SUFFIX or PLACEHOLDER.search(path.as_posix()))
    )


def render(root: Path, sources: list[str], variables: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Returns target path -> (source path, text) for every file to write; raises with every broken source at once."""
    environment = Environment(
        loader=FileSystemLoader(str(root)),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        newline_sequence="\n",
    )
    filters: dict[str, Callable[..., str]] = {
        "tojson": quoted,
        "quoted": quoted,
        "assigned": assigned,
        "markdown": markdown,
        "markdown_line": markdown_line,
        "comment_line": comment_line,
        "fit": fit,
        "imports": imports,
    }
    environment.filters.update(filters)
    environment.globals.update(variables)
    targets: dict[str, tuple[str, str]] = {}
    by_folded_name: dict[str, str] = {}  # some file systems do not tell upper from lower case
    broken: list[str] = []
    for source in sources:
        try:
            template = environment.get_template(source) if source.endswith(SUFFIX) else None
            for path, extra in copies(source, variables):
                target = path.removesuffix(SUFFIX)
                if other := by_folded_name.get(target.casefold()):
                    raise BrokenTemplateError(f"{source}:1: writes {target}, as {other} does")
                by_folded_name[target.casefold()] = source
                if template is None:
                    text = (root / source).read_text(encoding="utf-8")
                else:
                    text = template.render(extra)
                    if not text.strip() and (root / source).stat().st_size:
                        continue  # its answers chose against this file
                targets[target] = (source, text)
        except BrokenTemplateError as error:
            broken.extend(map(str, error.args))
        except RENDERING_ERRORS as error:
            where, line = _where(error, root, source)
            message = getattr(error, "message", None) or str(error)
            broken.append(f"{where}:{line}: {type(error).__name__}: {message}")
    if broken:
        raise BrokenTemplateError(*broken)
    return targets


def _where(error: BaseException, root: Path, source: str) -> tuple[str, int]:
    """Finds the source line that failed: a syntax error knows it, else the innermost frame of a template does."""
    where, line = source, getattr(error, "lineno", None) or 1
    traceback = error.__traceback__
    while traceback:
        file = Path(traceback.tb_frame.f_code.co_filename)
        if file.suffix == SUFFIX and file.is_relative_to(root):
            where, line = file.relative_to(root).as_posix(), traceback.tb_lineno
        traceback = traceback.tb_next
    return where, line


def refuse_overwriting(root: Path, targets: dict[str, tuple[str, str]]) -> None:
    """Raises where a rendered file would replace one that the template holds as it is."""
    clashes = [
        f"{source}:1: writes {target}, which the template holds as a file of its own"
        for target, (source, _text) in targets.items()
        if (root / target).exists() and source != target
    ]
    if clashes:
        raise BrokenTemplateError(*clashes)


def write(root: Path, targets: dict[str, tuple[str, str]]) -> None:
    """Writes all rendered files; what was executable stays so."""
    modes = {source: (root / source).stat().st_mode for source, _text in targets.values()}
    for folder in {(root / path).parent for path in targets}:
        folder.mkdir(parents=True, exist_ok=True)

    def write_share(share: list[str]) -> None:
        for path in share:
            source, text = targets[path]
            (root / path).write_text(text, encoding="utf-8", newline="\n")
            if modes[source] & 0o111:
                (root / path).chmod(modes[source])

    paths = sorted(targets)
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write_share, [paths[start::WRITERS] for start in range(WRITERS)]))


def remove(root: Path, sources: list[str]) -> None:
    """Removes the sources and the folders that held nothing else."""
    for source in sources:
        (root / source).unlink(missing_ok=True)
        for folder in PurePosixPath(source).parents:
            path = root / folder
            if path == root or (path.is_dir() and any(path.iterdir())):
                break
            if path.is_dir():
                path.rmdir()


def remove_caches(root: Path) -> None:
    """Removes what the tools of the template's developers left in the working tree that was baked from."""
    for name in CACHES:
        for path in list(root.rglob(name)):
            shutil.rmtree(path)


def write_manifest(root: Path) -> None:
    """Notes what the kits are made of, so that the service can tell when somebody has edited them."""
    kits = sorted(path for kit in KITS for path in root.glob(f"src/*/{kit}/**/*.py"))
    if not kits:
        return  # a template of the tests, which holds none
    lines = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {Path(*path.relative_to(root).parts[2:]).as_posix()}\n"
        for path in kits
    )
    (root / MANIFEST).write_text("".join(lines), encoding="utf-8", newline="\n")


def next_steps(root: Path, variables: dict[str, Any]) -> str:
    """Returns the four steps from the new folder to a proven service; each can be pasted into a shell."""
    aggregates = variables["aggregates"]
    if aggregates:
        what = f"give it something to do, in a second terminal ({aggregates[0].first_task.name})"
        request = (
            f"curl -i http://127.0.0.1:8000{aggregates[0].url} -H 'Content-Type: application/json' "
            '-d \'{"payload": {"amount": 100}}\''
        )
    else:
        what = "ask it how its systems are, in a second terminal"
        request = "curl -i http://127.0.0.1:8001/health/ready"
    return "\n".join(
        [
            f"{root.name} is ready. Next steps:",
            "",
            "  1. go to it and put it under version control",
            f"       cd {shlex.quote(str(root))} && git init --quiet && git add --all",
            "  2. start it: API, poller, a simulator of its systems and PostgreSQL, all included (Ctrl-C ends it)",
            "       make run",
            f"  3. {what}",
            f"       {request}",
            "  4. prove it",
            "       make check test",
            "",
        ]
    )


def main() -> int:
    """Expands the project in the current folder and returns the exit code."""
    root = Path.cwd()
    model = json.loads((root / MODEL_FILE).read_text(encoding="utf-8"))
    variables = linked(model)
    sources = find_sources(root, set(model["kept"]))
    try:
        targets = render(root, sources, variables)
        if model["fresh"]:
            refuse_overwriting(root, targets)
    except BrokenTemplateError as error:
        print("The template itself is broken, so nothing was generated:", *error.args, sep="\n  ", file=sys.stderr)
        return 1
    else:
        write(root, targets)
        if model["fresh"]:
            remove_caches(root)
        write_manifest(root)
    finally:
        remove(root, sources)
        (root / MODEL_FILE).unlink()
    # For a diff or an update cruft renders both sides in the temporary folder: nobody is going to work there.
    if not (model["by_cruft"] and root.is_relative_to(Path(tempfile.gettempdir()).resolve())):
        print(next_steps(root, variables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
# {% endraw %}
