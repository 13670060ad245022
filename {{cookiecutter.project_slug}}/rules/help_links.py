"""Where a rule is explained, as an address that whoever reads a finding elsewhere can open."""

import configparser
import os
import re
from functools import lru_cache
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "rules.md"
REMOTE = re.compile(r"^(?:\w+://)?(?:[^@/]+@)?(?P<host>[^:/]+)(?::\d+)?[:/](?P<project>.+?)(?:\.git)?/?$")


def help_link(code: str) -> str:
    """The page of the rules, at a rule's heading."""
    return help_page() + (f"#{code.lower()}" if code else "")


@lru_cache(maxsize=1)
def _in_repository() -> str:
    """docs/rules.md on the server that the checker's own repository comes from; nothing without one."""
    for folder in DOCUMENT.parents:
        config = folder / ".git" / "config"
        if config.is_file():
            return on_server(_remote(config), DOCUMENT.relative_to(folder).as_posix())
    return ""


def help_page() -> str:
    """RULES_HELP where it is set; the document on the server of this repository; else the file itself."""
    return os.environ.get("RULES_HELP") or _in_repository() or DOCUMENT.as_uri()


def _remote(config: Path) -> str:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    try:
        parser.read_string("\n".join(line.strip() for line in config.read_text(encoding="utf-8").splitlines()))
    except (configparser.Error, OSError, ValueError):
        return ""
    return parser.get('remote "origin"', "url", fallback="")


def on_server(remote: str, path: str) -> str:
    """The address of a file on the server of a remote; nothing for one that is no server."""
    match = REMOTE.match(remote)
    if match is None or remote.startswith(("/", ".", "file:")):
        return ""
    view = "blob/HEAD" if "github" in match["host"] else "-/blob/HEAD"
    return f"https://{match['host']}/{match['project']}/{view}/{path}"
