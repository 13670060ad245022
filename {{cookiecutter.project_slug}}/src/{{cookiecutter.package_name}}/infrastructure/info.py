"""What this process was built from."""

import os
import platform
from importlib import metadata
from typing import Any

from prometheus_client import Gauge

from .configuration import Configuration
from .discovery import ROOT

BUILD = Gauge("app_build_info", "Always 1; the labels say what runs.", ["version", "revision", "template_version"])
UNKNOWN = "unknown"


def build_info(configuration: Configuration) -> dict[str, Any]:
    """Return the body of `/info` and set `app_build_info`."""
    version = metadata.version(ROOT.replace("_", "-"))
    revision = os.environ.get("REVISION", UNKNOWN)
    BUILD.labels(version, revision, UNKNOWN).set(1)
    return {
        "service": ROOT,
        "version": version,
        "revision": revision,
        "python": platform.python_version(),
        "role": configuration.process.role,
        "systems": [system.name for system in configuration.systems],
    }
