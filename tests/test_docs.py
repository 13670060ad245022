"""The documents say what the code does: rows, names, defaults, paths and links are compared with a bake.

Only sources are read; nothing is installed or started.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import documents
import pytest
import source_facts
from baking import Oven
from documents import code_spans, table
from hook_modules import TEMPLATE as ROOT

TEMPLATE_PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
ADR_SECTIONS = ["Status", "Context", "Decision", "Consequences", "Alternatives", "References"]
MAX_ADR_LINES = 60

CODES = {
    "WHERE": "1 2 3 4 X1",
    "ISO": "1 2 3 X1 X2",
    "TO": "1 2 3 X1 X2 X3",
    "CB": "1 2 3 4 5 6 X1 X2 X3",
    "RE": "1 2 3 4 5 X1 X2 X3 X4",
    "BH": "1 2 3 X1",
    "FB": "1 2 X1 X2 X3",
    "CFG": "1 2 3 X1",
    "OAS": "1 2 3 4 X1 X2 X3",
    "HC": "1 2 3 4 X1 X2",
    "ASYNC": "1 2 3 X1 X2",
    "OBS": "1 2 3 X1",
}
"""The style guide's rules. They are public: a service's page has one row for each."""

KEEPERS = {"type", "start-up check", "test", "lint", "construction", "review"}
PLANNED = "planned"

SETTINGS = [
    ("infrastructure/settings.py", "ProcessSettings", ""),
    ("infrastructure/settings.py", "HttpSettings", "HTTP__"),
    ("polling/settings.py", "DatabaseSettings", "DATABASE__"),
    ("polling/settings.py", "PollingSettings", "POLLING__"),
    ("resilience/settings.py", "ClientSettings", "CLIENT_<SYSTEM>__"),
]
"""Module, class and prefix of every settings class of the template."""


def codes() -> list[str]:
    """Return all codes in full."""
    return [f"R-RES-{group}-{number}" for group, numbers in CODES.items() for number in numbers.split()]


@pytest.fixture(scope="session")
def service(bake: Oven) -> Path:
    """The folder of the default service."""
    return bake().root


@pytest.fixture(scope="session")
def other_service(bake: Oven) -> Path:
    """A service of the same name with other systems and other tasks."""
    return bake(external_systems="zebra, yak", tasks="lead_import@zebra, lead_export@yak, lead_purge@yak").root


@pytest.fixture(scope="session")
def smallest_service(bake: Oven) -> Path:
    """A service with one system and no task."""
    return bake(external_systems="zebra", tasks=" ").root


@pytest.fixture(scope="session")
def package(bake: Oven) -> Path:
    """The package of the default service."""
    return bake().source


@pytest.fixture(scope="session")
def service_pages(service: Path) -> list[Path]:
    """Every Markdown page of the baked service."""
    return [service / "README.md", *sorted((service / "docs").rglob("*.md"))]


# --- the table of rules


@pytest.fixture(scope="session")
def rules(service: Path) -> dict[str, dict[str, str]]:
    """Code -> row of docs/resilience.md."""
    rows = [
        row
        for t in documents.tables((service / "docs/resilience.md").read_text())
        if "code" in t.columns
        for row in t.rows
    ]
    assert len({row["code"] for row in rows}) == len(rows), "a code has two rows"
    return {row["code"]: row for row in rows}


def test_there_are_69_rules() -> None:
    assert len(codes()) == len(set(codes())) == 69


def test_every_rule_has_a_row_and_no_row_is_invented(rules: dict[str, dict[str, str]]) -> None:
    assert sorted(rules) == sorted(codes())


@pytest.mark.parametrize("code", codes())
def test_the_row_of_a_rule_points_at_what_exists(
    code: str, rules: dict[str, dict[str, str]], service: Path, smallest_service: Path
) -> None:
    row = rules[code]
    keepers = {part.strip() for part in row["kept by"].split(",")}
    files = code_spans(row["file"])
    proofs = [span.partition("::") for span in code_spans(row["proof"]) if "::" in span]

    assert keepers <= KEEPERS | {PLANNED}, keepers
    assert files or PLANNED in keepers, "no file honours it, yet it is not planned"
    assert proofs or "test" not in keepers, "kept by a test that the row does not name"
    for folder in (service, smallest_service):
        for path in files:
            assert list(folder.glob(path)), f"{path} does not exist"
        for path, _, test in proofs:
            modules = list(folder.glob(path))
            assert modules, f"{path} does not exist"
            assert all(test in source_facts.tests(module) for module in modules), f"{path} has no {test}"


def test_a_rule_that_the_checker_knows_is_kept_by_lint(rules: dict[str, dict[str, str]], service: Path) -> None:
    known = {
        f"R-RES-{code}"
        for module in (service / "rules/catalogue").glob("*.py")
        for long in source_facts.class_constants(module, "code")
        for code in re.findall(r"^[A-Z]+-X?\d+", long)
    }
    assert known
    assert known <= {code for code, row in rules.items() if "lint" in row["kept by"]}


def test_every_rule_code_in_the_source_is_a_rule(service: Path) -> None:
    known = {code.removeprefix("R-RES-") for code in codes()}
    for path, text in texts(service):
        for code in re.findall(r"\bR-RES-([A-Z]+-X?\d+)", text):
            assert code in known, f"{path}: R-RES-{code}"


# --- operations


def test_every_metric_has_a_row_and_every_row_a_metric(service: Path, package: Path) -> None:
    rows = table(service / "docs/operations.md", "metric", "type", "labels").rows
    documented = {
        source_facts.Metric(name, row["type"], tuple(code_spans(row["labels"])))
        for row in rows
        for name in code_spans(row["metric"])
    }
    assert documented == set(source_facts.metrics(package).values())


def test_every_log_event_has_a_row_and_every_row_an_event(service: Path, package: Path) -> None:
    rows = table(service / "docs/operations.md", "event", "level").rows
    documented = {event for row in rows for event in code_spans(row["event"])}
    assert documented == set(source_facts.events(package))


@pytest.mark.parametrize("event_or_metric", ["event", "metric"])
def test_every_row_names_the_question_that_it_answers(event_or_metric: str, service: Path) -> None:
    for row in table(service / "docs/operations.md", event_or_metric, "question").rows:
        assert row["question"].endswith("?"), row


@pytest.mark.parametrize(("module", "cls", "prefix"), SETTINGS, ids=[cls for _, cls, _ in SETTINGS])
def test_every_setting_has_a_row_with_its_default_and_a_reason(
    module: str, cls: str, prefix: str, service: Path, package: Path
) -> None:
    defaults = source_facts.settings(package / module, cls)
    documented = {row["setting"].strip("`"): row for row in settings_rows(service)}

    for field, default in defaults.items():
        row = documented.get(f"{prefix}{field}".upper())
        assert row is not None, f"{prefix}{field.upper()} has no row"
        assert row["reason"], row
        assert shown(row["default"]) == default or default == source_facts.UNKNOWN, f"{row} against {default!r}"


def test_every_row_of_a_setting_names_one_that_is_read(service: Path, package: Path) -> None:
    known = {
        f"{prefix}{field}".upper()
        for path, cls, prefix in SETTINGS
        for field in source_facts.settings(package / path, cls)
    }
    known |= source_facts.environment_reads(package) | {"SIMULATOR_PORT"}  # the launcher's own port
    assert {row["setting"].strip("`") for row in settings_rows(service)} == known


def test_no_settings_class_of_the_template_is_left_out(package: Path) -> None:
    for path, tree in source_facts.modules(package):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "BaseSettings" for base in node.bases):
                assert (str(path.relative_to(package)), node.name) in {(p, c) for p, c, _ in SETTINGS}


def test_every_error_that_callers_meet_is_told(service: Path, package: Path) -> None:
    rows = table(service / "docs/operations.md", "code", "status", "what the caller may do").rows
    told = {row["code"].strip("`") for row in rows}
    for module in ("resilience/errors.py", "polling/errors.py", "domain/errors.py"):
        families = {"port-error", "execution-rejected", "external-system-error", "queue-error", "domain-error"}
        assert source_facts.class_constants(package / module, "code") - families <= told


# --- all pages


def test_links_lead_somewhere(service: Path, service_pages: list[Path]) -> None:
    for page in [*TEMPLATE_PAGES, *service_pages]:
        text = page.read_text()
        for target in documents.links(text):
            assert not target.startswith("http"), f"{page}: {target} is not ours to keep alive"
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            assert there.exists(), f"{page}: {target}"
            if anchor:
                assert anchor in documents.anchors(there.read_text()), f"{page}: {target}"
    assert service.is_dir()


def test_paths_in_the_pages_exist(service: Path, package: Path, service_pages: list[Path]) -> None:
    roots = {page: [ROOT, service, package] for page in TEMPLATE_PAGES}
    roots |= {page: [service, package] for page in service_pages}
    for page, folders in roots.items():
        for span in code_spans(page.read_text()):
            path = as_path(span, package.name)
            if path:
                assert any(list(folder.glob(path)) for folder in folders), f"{page}: {span}"


def test_commands_in_the_pages_are_targets_of_the_makefile(service: Path, service_pages: list[Path]) -> None:
    ours, theirs = targets(ROOT / "Makefile"), targets(service / "Makefile")
    for page in [*TEMPLATE_PAGES, *service_pages]:
        known = theirs if page in service_pages else ours | theirs
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(), re.MULTILINE):
            assert target in known, f"{page}: make {target}"


def test_each_readme_shows_the_verbs_of_its_makefile(service: Path) -> None:
    template = (ROOT / "README.md").read_text() + (ROOT / "CONTRIBUTING.md").read_text()
    for target in ("demo", "test", "check", "bench"):
        assert f"make {target}" in template
        assert target in targets(ROOT / "Makefile")
    readme = (service / "README.md").read_text()
    for target in targets(service / "Makefile") - {"help"}:
        assert f"make {target}" in readme, target


def test_the_readme_warns_that_cookiecutter_renders_jinja_markers() -> None:
    (warning,) = re.findall(r"\*\*Cookiecutter renders Jinja markers[^*]*\*\*", (ROOT / "README.md").read_text())
    assert "not typed at a prompt" in " ".join(warning.split())


def test_the_readme_shows_every_question() -> None:
    rows = table(ROOT / "README.md", "question", "default").rows
    questions = [name for name in json.loads((ROOT / "cookiecutter.json").read_text()) if not name.startswith("_")]
    assert [row["question"].strip("`") for row in rows] == questions


def test_the_guarantees_name_settings_metrics_and_tests_that_exist(service: Path, package: Path) -> None:
    settings = {row["setting"].strip("`") for row in settings_rows(service)}
    metrics = set(source_facts.metrics(package))
    for row in table(ROOT / "README.md", "promise", "test that proves it").rows:
        assert set(code_spans(row["setting that tunes it"])) <= settings, row
        assert set(code_spans(row["metric that shows it"])) <= metrics, row
        proofs = code_spans(row["test that proves it"])
        assert proofs, row
        for proof in proofs:
            path, _, test = proof.removeprefix("template:").partition("::")
            modules = list((ROOT if proof.startswith("template:") else service).glob(path))
            assert modules, proof
            assert all(not test or test in source_facts.tests(module) for module in modules), proof


@pytest.mark.parametrize("log", ["template", "service"])
def test_decisions_are_short_complete_and_listed(log: str, service: Path) -> None:
    folder = (ROOT if log == "template" else service) / "docs/adr"
    pages = sorted(folder.glob("0*.md"))
    index = (folder / "README.md").read_text()

    assert [page.name[:4] for page in pages] == [f"{n:04}" for n in range(1, len(pages) + 1)]
    for page in pages:
        text = page.read_text()
        assert len(text.splitlines()) < MAX_ADR_LINES, page
        assert documents.headings(text)[1:] == ADR_SECTIONS, page
        assert documents.headings(text)[0].startswith(f"{page.name[:4]}. "), page
        assert f"({page.name})" in index, page


def test_every_change_tells_how_to_adopt_it() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    version = json.loads((ROOT / "cookiecutter.json").read_text())["_template_version"]
    entries = re.split(r"^- ", text, flags=re.MULTILINE)[1:]

    assert f"## [{version}]" in text, "the version that is stamped into services has no section"
    assert entries
    for entry in entries:
        assert "*To adopt:*" in entry, entry


def test_the_pages_of_two_services_differ_by_names_only(service: Path, other_service: Path) -> None:
    """Nothing that is committed lists systems or tasks, or adding one would change it."""
    pages = {path.relative_to(service) for path in (service / "docs").rglob("*.md")} | {Path("README.md")}

    assert pages == {path.relative_to(other_service) for path in (other_service / "docs").rglob("*.md")} | {
        Path("README.md")
    }
    for page in pages:
        assert (service / page).read_bytes() == (other_service / page).read_bytes(), page


# --- reading


def settings_rows(service: Path) -> list[dict[str, str]]:
    """Return the rows of all settings tables of the operations page."""
    text = (service / "docs/operations.md").read_text()
    return [row for t in documents.tables(text) if "setting" in t.columns for row in t.rows]


def shown(cell: str) -> object:
    """Return the value that a cell of the column `default` shows; None for `required`, "" for `none`."""
    text = cell.strip("`")
    if text in {"required", "none"}:
        return None if text == "required" else ""
    if text in {"true", "false"}:
        return text == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def as_path(span: str, package: str) -> str:
    """Return the path that a code span names, as a glob; "" if it names none."""
    path = span.removeprefix("<service>/").replace("<package>", package).partition("::")[0]
    if not re.fullmatch(r"[\w<>{}./*-]+", path) or path.startswith("/") or "/" not in path.rstrip("/"):
        return ""
    if "build/" in path or "://" in path or path.startswith(("application/problem", "gh:")):
        return ""
    return re.sub(r"<\w+>", "*", path).rstrip("/")


def targets(makefile: Path) -> set[str]:
    """Return the targets that `make help` lists."""
    return set(re.findall(r"^([a-z-]+):.*## ", makefile.read_text(), re.MULTILINE))


def texts(service: Path) -> Iterator[tuple[Path, str]]:
    """Read every source and page of the service."""
    for path in sorted(service.rglob("*")):
        if path.suffix in {".py", ".md", ".toml", ".yaml", ".yml"} and path.is_file():
            yield path, path.read_text()
