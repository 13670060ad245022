"""The two hooks as modules: stored, they are valid Python that does nothing when imported."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

TEMPLATE = Path(__file__).resolve().parents[1]


def load(name: str) -> ModuleType:
    """Imports a hook by its file name without the suffix."""
    spec = importlib.util.spec_from_file_location(name, TEMPLATE / "hooks" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


pre_gen = load("pre_gen_project")
post_gen = load("post_gen_project")
