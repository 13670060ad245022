"""The command line: what to check, how to say it, and the exit status (0 nothing, 1 an error, 2 wrong use)."""

import argparse
import gc
import os
import sys
from pathlib import Path

from .cache import Cache, default_folder
from .finding import Rule
from .registry import BrokenRule, fingerprint, rules_of
from .report import FORMATS
from .scan import scan
from .tree import targets


def main(arguments: list[str]) -> int:
    """Check source trees; the exit status says whether there is an error."""
    options = _parser().parse_args(arguments)
    roots = [Path(p) for p in options.trees]
    local = [Path(p) for p in options.local or (["rules_local"] if Path("rules_local").is_dir() else [])]
    missing = [str(p) for p in [*roots, *local] if not p.exists()]
    if missing:
        return _wrong_use(f"no such file or folder: {', '.join(missing)}")
    try:
        rules = rules_of(local)
    except BrokenRule as error:
        return _wrong_use(str(error))
    if options.explain:
        return _explain(options.explain, rules)
    if not roots:
        return _wrong_use("name at least one source tree, e.g. `rules src`")
    found = targets(roots)
    cache = Cache(None if options.no_cache else Path(options.cache or default_folder()), fingerprint(local), roots)
    gc.disable()  # everything made here lives to the end
    try:
        findings, suppressions = scan(found, rules, cache)
    finally:
        gc.enable()
    report = FORMATS[options.format](findings, suppressions, rules)
    if report:
        _print(report)
    errors = sum(f.level == "error" for f in findings)
    warned = len(findings) - errors
    sys.stderr.write(
        f"rules: {len(found)} files, {errors} errors, {warned} warnings, {len(suppressions)} ignored with a reason\n"
    )
    return 1 if errors or (options.strict and warned) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rules", description="Checks Python source against the resilience rules.")
    parser.add_argument("trees", nargs="*", metavar="SOURCE_TREE", help="folders or files to check")
    parser.add_argument(
        "--format", choices=sorted(FORMATS), default="text", help="text (default), github annotations or sarif"
    )
    parser.add_argument("--strict", action="store_true", help="a warning counts as an error")
    parser.add_argument(
        "--local", action="append", metavar="FOLDER", help="a team's own rules (default: rules_local/ if it is there)"
    )
    parser.add_argument(
        "--cache", metavar="FOLDER", help="where results are kept (default: RULES_CACHE or the user's cache folder)"
    )
    parser.add_argument("--no-cache", action="store_true", help="check everything anew and keep nothing")
    parser.add_argument(
        "--explain", metavar="CODE", help="print what a rule asks for, why, and the way out; `all` prints every rule"
    )
    return parser


def _explain(code: str, rules: list[type[Rule]]) -> int:
    chosen = [r for r in rules if code in ("all", r.code, f"R-RES-{r.code}".removeprefix("R-RES-"))]
    if not chosen:
        return _wrong_use(f"no rule {code}; there are {', '.join(r.code for r in rules)}")
    _print("\n".join(f"{r.code} [{r.level}] {r.explain()}" for r in chosen))
    return 0


def _print(report: str) -> None:
    """Write, and do not mind a reader that has gone (`| head`)."""
    try:
        sys.stdout.write(report + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _wrong_use(message: str) -> int:
    sys.stderr.write(f"rules: {message}\n")
    return 2
