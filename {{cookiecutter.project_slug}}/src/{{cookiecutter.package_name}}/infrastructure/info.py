"""What this process was built from."""

import os
import platform
from importlib import metadata
from typing import Any

from prometheus_client import Gauge

from .. import DISTRIBUTION, TEMPLATE_VERSION
from .configuration import Configuration

BUILD = Gauge("app_build_info", "Always 1; the labels say what runs.", ["version", "revision", "template_version"])
UNKNOWN = "unknown"


def build_info(configuration: Configuration) -> dict[str, Any]:
    """Return the body of `/info` and set `app_build_info`."""
    version = _version()
    revision = os.environ.get("REVISION", UNKNOWN)
    BUILD.labels(version, revision, TEMPLATE_VERSION).set(1)
    return {
        "service": DISTRIBUTION,
        "version": version,
        "revision": revision,
        "template_version": TEMPLATE_VERSION,
        "python": platform.python_version(),
        "role": configuration.process.role,
        "systems": [system.name for system in configuration.systems],
    }


def _version() -> str:
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return UNKNOWN  # run from the source tree, without an installation
