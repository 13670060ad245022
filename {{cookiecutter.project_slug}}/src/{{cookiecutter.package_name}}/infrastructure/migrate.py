"""Runs the migrations: a job before the rollout in production, the launcher in development."""

from pathlib import Path

from alembic import command
from alembic.config import Config

DEFAULT_FOLDER = Path(__file__).resolve().parents[3] / "migrations"
"""Beside `src`; an image that lays things out differently sets `MIGRATIONS_DIR`."""


def alembic_configuration(database_url: str, folder: Path) -> Config:
    """Return Alembic's configuration for `database_url` and the migrations in `folder`."""
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("recursive_version_locations", "true")
    config.set_main_option("path_separator", "os")
    config.attributes["database_url"] = database_url
    return config


def upgrade(database_url: str, folder: Path) -> None:
    """Upgrade every branch to its head; safe to run from many processes at once (env.py takes an advisory lock)."""
    command.upgrade(alembic_configuration(database_url, folder), "heads")
