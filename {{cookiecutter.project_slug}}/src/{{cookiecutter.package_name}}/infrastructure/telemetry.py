"""Logs as one JSON object per line, with the request's id, the trace and without secrets."""

import logging
import logging.config
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import structlog
from opentelemetry import trace
from structlog.typing import EventDict, WrappedLogger

SECRET_KEY = re.compile(r"(?i)authorization|cookie|token|secret|password|passwd|api[-_]?key|dsn|credential")
URL_PASSWORD = re.compile(r"(?i)(\b[a-z][a-z0-9+.-]*://[^:/\s@]*:)[^@/\s]+@")
QUERY_SECRET = re.compile(r"(?i)([?&](?:token|api_?key|key|sig|signature|password|secret)=)[^&\s\"']+")
MASK = "***"
MAX_DEPTH = 4
"""Logged facts are flat; deeper nesting is somebody's payload and is not walked."""


def scrub(value: object, depth: int = 0) -> object:
    """Return `value` without passwords in URLs, secrets in queries and values of secret-looking keys."""
    if isinstance(value, str):
        # Most facts hold neither; looking for a character first costs a tenth of the expressions.
        if "://" in value:
            value = URL_PASSWORD.sub(rf"\1{MASK}@", value)
        return QUERY_SECRET.sub(rf"\1{MASK}", value) if "?" in value or "&" in value else value
    if depth < MAX_DEPTH and isinstance(value, Mapping):
        return {k: MASK if _is_secret(str(k)) else scrub(v, depth + 1) for k, v in value.items()}
    if depth < MAX_DEPTH and isinstance(value, list | tuple):
        return [scrub(item, depth + 1) for item in value]
    return value


@lru_cache(maxsize=1024)
def _is_secret(key: str) -> bool:
    """Tell by its name whether a fact is secret; the same names come with every line."""
    return SECRET_KEY.search(key) is not None


def _redact(_: WrappedLogger, __: str, event: EventDict) -> Mapping[str, Any]:
    return {k: MASK if _is_secret(k) else scrub(v) for k, v in event.items()}


def _trace_ids(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    context = trace.get_current_span().get_span_context()
    if context.is_valid:
        event["trace_id"] = f"{context.trace_id:032x}"
        event["span_id"] = f"{context.span_id:016x}"
    return event


def configure_logging(level: str) -> None:
    """Send every logger's records to standard output, rendered by structlog."""
    # Frame locals hold payloads and secrets: they are never rendered. Redaction comes last, before the renderer.
    tracebacks = structlog.processors.ExceptionRenderer(
        structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": [
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.stdlib.ExtraAdder(),
            _trace_ids,
        ],
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            tracebacks,
            _redact,
            structlog.processors.JSONRenderer(),
        ],
    }
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"json": formatter},
            "handlers": {
                "stdout": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "json"}
            },
            "root": {"handlers": ["stdout"], "level": level},
            # Libraries that tell each call or each tick: what matters of it is a metric or an event of our own.
            "loggers": {name: {"level": "WARNING"} for name in ("httpx", "apscheduler", "alembic", "uvicorn")},
        }
    )
