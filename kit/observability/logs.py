"""Logs on standard error: a JSON object a line, or for people in development; every line carries its request's id.

A logger of structlog writes its line straight out, which costs 5 µs; messages of libraries that use
the standard library's logging get the same form from a formatter, at 25 µs a line.
"""

import logging
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from structlog.typing import EventDict, Processor

from kit.observability.log_lines import StandardError, json_lines

_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


_PATHS = frozenset({"path", "event"})
_PLAIN = frozenset({"level", "timestamp", "method", "route", "request_id"})  # of every request's line, never secret
_NUMBERS = (int, float, type(None))
_SHORT = 8


def refusal_as_warning(record: logging.LogRecord) -> bool:
    """A logging filter: what Django refused as suspicious, such as a foreign Host, is no error of ours.

    Anybody can cause it at will, so it is one line without a traceback.
    """
    if not record.name.startswith("django.security."):
        return True
    record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    record.exc_info = record.exc_text = None
    return logging.getLogger().isEnabledFor(logging.WARNING)


@dataclass(frozen=True, slots=True)
class Secrets:
    """Patterns of what the log must not contain.

    anywhere: not in any text, tracebacks included. in_paths: not in paths and messages either.
    marks: texts in lower case, one of which is in every match: other texts are not searched, which saves 20 µs a line.
    """

    anywhere: str
    in_paths: str
    marks: tuple[str, ...]


def masking(secrets: Secrets) -> Processor:
    """A structlog processor that masks each match but for its last four letters, and short ones completely."""
    anywhere = re.compile(secrets.anywhere)
    in_path = re.compile(f"{secrets.in_paths}|{secrets.anywhere}", re.DOTALL)

    def mask(_logger: object, _method: str, line: EventDict) -> EventDict:
        for name, value in line.items():
            if name in _PLAIN or isinstance(value, _NUMBERS):
                continue
            text = str(value)
            lowered = text.lower()
            if any(mark in lowered for mark in secrets.marks):
                line[name] = (in_path if name in _PATHS else anywhere).sub(_rest, text)
        return line

    return mask


def _rest(found: re.Match[str]) -> str:
    return f"…{found[0][-4:]}" if len(found[0]) > _SHORT else "…"


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127) if chr(code) not in "\n\t"}


def _printable(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Escape what would change a terminal's colours, or make `grep` take the log for binary; JSON escapes it anyway."""
    return {name: value.translate(_CONTROLS) if isinstance(value, str) else value for name, value in line.items()}


def logging_config(
    *, level: str, human: bool, secrets: Secrets, watchers: Sequence[Processor] = ()
) -> dict[str, object]:
    """Configures structlog, and returns Django's LOGGING. level: as in the standard library, in capitals.

    watchers: processors that see each line while its `exc_info` is still an exception.
    """
    masked: list[Processor] = [*watchers, structlog.processors.format_exc_info, masking(secrets)]
    console: list[Processor] = [_printable, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    stream: Any = StandardError()
    structlog.configure(
        processors=[*_SHARED, *masked, *(console if human else [json_lines])],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream) if human else structlog.BytesLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [*_SHARED, structlog.stdlib.add_logger_name],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *masked,
                    *(console if human else [lambda *line: json_lines(*line).decode()]),
                ],
            }
        },
        "filters": {"refusals": {"()": lambda: refusal_as_warning}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "stream": stream,
                "formatter": "structured",
                "filters": ["refusals"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.server": {"handlers": ["stderr"], "propagate": False},
            "django.request": {"level": "ERROR"},  # the request's own line reports a refusal
        },
    }
