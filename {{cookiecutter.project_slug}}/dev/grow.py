"""`make add-system`, `make add-task`: renders the template with a longer list and adds the files that are new.

Runs in an environment of its own that has cruft, so it imports nothing of this project but what the standard library
needs. The template's commit stays the recorded one: growing is not updating. cruft prints success and exits with 0 even
where its result conflicts, so the result is looked at here.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / ".cruft.json"
ANSWERS = {"system": "external_systems", "task": "tasks"}
EXAMPLES = {"system": "make add-system NAME=crm", "task": "make add-task NAME=lead_import@crm"}


class GrowError(Exception):
    """Nothing was added, or not all of it; the message says what to do."""


def git(*arguments: str) -> str:
    """Return what git prints."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GrowError(f"git {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout


def longer(answer: str, name: str) -> str:
    """Return the recorded list with `name` at its end."""
    items = [item.strip() for item in answer.replace("\n", ",").split(",") if item.strip()]
    if name in items:
        raise GrowError(f"{name} is there already")
    return ", ".join([*items, name])


def grow(kind: str, name: str) -> list[str]:
    """Add a system's or a task's files; returns their paths.

    Raises:
        GrowError: the project cannot grow, or the result needs a person.
    """
    if not name:
        raise GrowError(f"say what to add: {EXAMPLES[kind]}")
    if not RECORD.exists():
        raise GrowError("there is no .cruft.json: `cruft link <template>` tells which template this project came from")
    if git("status", "--porcelain"):
        raise GrowError("commit or stash your changes first: what is added must be seen on its own")
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    answer = ANSWERS[kind]
    variables = {answer: longer(record["context"]["cookiecutter"][answer], name)}
    command = ["cruft", "update", "--skip-apply-ask", "--checkout", record["commit"]]
    done = subprocess.run(
        [sys.executable, "-m", *command, "--variables-to-update", json.dumps(variables)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise GrowError(f"the template refused:\n{reason(done.stdout + done.stderr)}")
    return added()


def reason(output: str) -> str:
    """Return what the template itself said, without the traceback of the tools around it."""
    lines = output.splitlines()
    begin = next((number for number, line in enumerate(lines) if line.startswith("resilient-service:")), 0)
    end = next((n for n, line in enumerate(lines) if n > begin and line.startswith("To run again")), len(lines))
    return "\n".join(lines[begin:end]).strip()


def added() -> list[str]:
    """Return the added paths, and demand that nothing but additions came out."""
    # Renames and untracked files are shown one by one, so that every line is one path.
    changes = [(line[:2], line[3:]) for line in git("status", "--porcelain", "--untracked-files=all").splitlines()]
    conflicts = [path for state, path in changes if "U" in state or state in {"AA", "DD"} or path.endswith(".rej")]
    if conflicts:
        raise GrowError(f"resolve by hand, then commit: {', '.join(conflicts)}")
    changed = [path for state, path in changes if state.strip() not in {"A", "??"} and path != RECORD.name]
    if changed:
        raise GrowError(f"more than additions came out, look at: {', '.join(changed)}")
    new = [path for state, path in changes if path != RECORD.name]
    if not new:
        raise GrowError("the template has nothing to add: is its recorded commit still the one that was used?")
    return new


def main() -> int:
    """Grow by what the command line says; returns the exit code."""
    kind, name = sys.argv[1:]
    try:
        paths = grow(kind, name)
    except GrowError as error:
        print(f"dev: {error}", file=sys.stderr)
        return 1
    print("\n".join(f"  {path}" for path in sorted(paths)))
    print(f"{len(paths)} files added; fill in what is yours, run `make check test`, commit them with .cruft.json")
    if kind == "task":
        print("a further task of the same thing can be queued by itself when another has ended: docs/flows.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
