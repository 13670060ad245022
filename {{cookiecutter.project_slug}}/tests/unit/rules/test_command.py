"""The command: exit status, formats, suppressions, cache, and a team's own rule."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rules.command import main
from rules.help_links import help_link, on_server

ROOT = Path(__file__).resolve().parents[3]
LONG_SLEEP = "import asyncio\n\n\nasync def f() -> None:\n    await asyncio.sleep(60)"
OWN_RULE = '''
import ast
from collections.abc import Iterator

from rules.finding import Finding, Rule


class NoPrint(Rule):
    """Something is printed. Logs are structured here: use the logger."""

    code = "TEAM-1"
    nodes = (ast.Call,)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        if isinstance(node, ast.Call) and self.resolver.name(node.func) == "print":
            yield self.finding(node)
'''


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with an empty source tree in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULES_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "src"
    source.mkdir()
    return source


def write(tree: Path, text: str, name: str = "job.py") -> None:
    """Put one file into the tree."""
    (tree / name).write_text(text + "\n", encoding="utf-8")


def test_nothing_found_is_zero_and_silent(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, "x = 1")
    assert main(["src"]) == 0
    assert capsys.readouterr().out == ""


def test_an_error_is_one_line_with_path_line_column_and_code(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, LONG_SLEEP)
    assert main(["src"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("src/job.py:5:11: ASYNC-X2 sleeps 60 s: A sleep of more than 5 s.")


@pytest.mark.parametrize("arguments", [[], ["nowhere"], ["src", "--local", "nowhere"]])
def test_wrong_use_is_two(tree: Path, arguments: list[str]) -> None:
    assert main(arguments) == 2


def test_an_unknown_option_is_two(tree: Path) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["src", "--format", "xml"])
    assert raised.value.code == 2


def test_a_warning_is_an_error_only_where_asked_for(tree: Path) -> None:
    write(tree, "async def f(client):\n    return await client.get('/x')")
    assert main(["src"]) == 0
    assert main(["src", "--strict"]) == 1


def test_a_file_that_does_not_parse_is_a_finding(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, "def f(:")
    assert main(["src"]) == 1
    assert "src/job.py:1:7: SYNTAX" in capsys.readouterr().out


def test_a_suppression_with_code_and_reason_silences_and_is_listed(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree, f"{LONG_SLEEP}  # rules: ignore ASYNC-X2 -- the device needs a minute")
    assert main(["src"]) == 0
    assert capsys.readouterr().out == "src/job.py:5: ASYNC-X2 ignored: the device needs a minute\n"


@pytest.mark.parametrize(
    "comment", ["# rules: ignore", "# rules: ignore ASYNC-X2", "# rules: ignore ASYNC-X2 --", "# rules: ignore -- why"]
)
def test_a_suppression_without_code_or_reason_is_a_finding_and_silences_nothing(
    tree: Path, comment: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree, f"{LONG_SLEEP}  {comment}")
    assert main(["src"]) == 1
    out = capsys.readouterr().out
    assert " IGNORE " in out
    assert " ASYNC-X2 " in out


def test_a_suppression_that_silences_nothing_fails(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, "x = 1  # rules: ignore ASYNC-X2 -- once there was a sleep")
    assert main(["src"]) == 1
    assert "src/job.py:1:1: IGNORE" in capsys.readouterr().out


def test_a_comment_in_a_text_is_no_suppression(tree: Path) -> None:
    write(tree, 'x = "# rules: ignore"')
    assert main(["src"]) == 0


def test_github_annotations_escape_what_they_must(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, LONG_SLEEP, "a,b.py")
    assert main(["src", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=src/a%2Cb.py,line=5,col=11,title=ASYNC-X2::ASYNC-X2 ")


def test_sarif_has_rules_help_results_and_suppressions(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, LONG_SLEEP)
    write(tree, f"{LONG_SLEEP}  # rules: ignore ASYNC-X2 -- reason", "other.py")
    assert main(["src", "--format", "sarif"]) == 1
    document = json.loads(capsys.readouterr().out)
    run = document["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert document["version"] == "2.1.0"
    assert all(r["helpUri"] and r["help"]["text"] and r["shortDescription"]["text"] for r in rules)
    plain, silenced = run["results"]
    assert rules[plain["ruleIndex"]]["id"] == plain["ruleId"] == "ASYNC-X2"
    assert plain["locations"][0]["physicalLocation"]["region"] == {"startLine": 5, "startColumn": 11}
    assert silenced["suppressions"] == [{"kind": "inSource", "justification": "reason"}]


def test_a_warning_says_so_between_code_and_message(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, "async def f(client):\n    return await client.get('/x')")
    assert main(["src"]) == 0
    assert capsys.readouterr().out.startswith("src/job.py:2:18: ASYNC-3 [warning] An outbound call without a deadline")


def test_codes_have_no_prefix_and_explain_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--explain", "all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 20
    assert not any(line.startswith("R-RES-") for line in lines)


def test_paths_are_relative_to_the_working_folder(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree, LONG_SLEEP)
    beside = tree.parent / "beside"
    beside.mkdir()
    monkeypatch.chdir(beside)
    assert main([str(tree)]) == 1
    assert capsys.readouterr().out.startswith("../src/job.py:5:11: ASYNC-X2 ")


@pytest.mark.parametrize(
    ("remote", "page"),
    [
        ("git@github.com:acme/pay.git", "https://github.com/acme/pay/blob/HEAD/docs/rules.md"),
        ("https://gitlab.acme.org/pay/api.git", "https://gitlab.acme.org/pay/api/-/blob/HEAD/docs/rules.md"),
        ("ssh://git@git.acme.org:2222/pay/api", "https://git.acme.org/pay/api/-/blob/HEAD/docs/rules.md"),
        ("/srv/git/pay.git", ""),
        ("", ""),
    ],
)
def test_help_links_lead_to_the_document_on_the_server(remote: str, page: str) -> None:
    assert on_server(remote, "docs/rules.md") == page


def test_help_links_can_be_told_where_people_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_HELP", "https://wiki.acme.org/rules")
    assert help_link("ASYNC-X1") == "https://wiki.acme.org/rules#async-x1"


def test_a_helper_of_another_file_is_followed(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, "import asyncio\n\n\nasync def pause(seconds):\n    await asyncio.sleep(seconds)", "clock.py")
    write(tree, "from clock import pause\n\n\nasync def f() -> None:\n    await pause(60)")
    assert main(["src"]) == 1
    assert "src/job.py:5:11: ASYNC-X2 sleeps 60 s" in capsys.readouterr().out


def test_results_are_kept_by_content_and_the_store_may_vanish_or_break(tree: Path, tmp_path: Path) -> None:
    write(tree, LONG_SLEEP)
    assert main(["src"]) == 1
    (kept,) = (tmp_path / "cache").glob("*.json")
    assert main(["src"]) == 1
    write(tree, "x = 1")
    assert main(["src"]) == 0
    kept.write_text("{ broken", encoding="utf-8")
    write(tree, LONG_SLEEP)
    assert main(["src"]) == 1
    kept.unlink()
    assert main(["src", "--no-cache"]) == 1
    assert not kept.exists()


def test_a_constant_of_another_file_is_followed_and_its_change_seen(tree: Path) -> None:
    write(tree, "PAUSE = 1", "limits.py")
    write(tree, "import asyncio\nfrom limits import PAUSE\n\n\nasync def f() -> None:\n    await asyncio.sleep(PAUSE)")
    assert main(["src"]) == 0
    write(tree, "PAUSE = 100", "limits.py")
    assert main(["src"]) == 1


def test_a_team_adds_a_rule_as_one_file(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules_local").mkdir()
    (tmp_path / "rules_local" / "no_print.py").write_text(OWN_RULE, encoding="utf-8")
    write(tree, "print(1)")
    assert main(["src"]) == 1
    assert "src/job.py:1:1: TEAM-1 Something is printed." in capsys.readouterr().out


def test_a_broken_file_of_a_team_is_wrong_use_and_named(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules_local").mkdir()
    (tmp_path / "rules_local" / "broken.py").write_text("import nothing_of_that_name", encoding="utf-8")
    assert main(["src"]) == 2
    assert "broken.py" in capsys.readouterr().err


def test_it_runs_as_a_folder_on_the_standard_library_alone(tree: Path) -> None:
    write(tree, LONG_SLEEP)
    command = [sys.executable, "-I", "-S", str(ROOT / "rules"), "--no-cache", "src"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("src/job.py:5:11: ASYNC-X2 ")


def test_this_service_breaks_no_rule(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["src", "--strict", "--no-cache"]) == 0, capsys.readouterr().out
