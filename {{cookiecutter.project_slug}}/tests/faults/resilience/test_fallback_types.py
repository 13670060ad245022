"""What the type checker promises: money has no fallback."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
CHECKED = """
from decimal import Decimal
from {{ cookiecutter.package_name }}.resilience.fallback import Fallback
fallback = Fallback({kind})
"""


@pytest.mark.parametrize("kind", ["Decimal", "int", "float", "type(None)"])
def test_res_fb_x1_a_fallback_of_money_does_not_type_check(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "checked.py"
    file.write_text(CHECKED.replace("{kind}", kind), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(PROJECT / ".mypy_cache"), str(file)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "checked.py:4: error" in done.stdout
