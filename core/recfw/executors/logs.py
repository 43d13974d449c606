"""What ``--log-level`` turns on: Python's logging to standard error, in the command's process and in its workers."""

import logging
from collections.abc import Mapping

VARIABLE = "RECFW_LOG_LEVEL"
LEVELS = ("debug", "info", "warning", "error")
FORMAT = "%(asctime)s %(levelname)s %(name)s[%(process)d] %(message)s"
OURS = "recfw"
"""How the names of recfw's loggers, and those of its plugins, begin."""


class _Line(logging.Formatter):
    """One line a message, with what steers a terminal spelt out; a traceback keeps its lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name that logging calls
        line = super().formatMessage(record)
        return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)


def _wanted(record: logging.LogRecord) -> bool:
    """Let through what recfw and its plugins say, and warnings of others: their details may hold keys and addresses."""
    return record.name.startswith(OURS) or record.levelno >= logging.WARNING


def set_up_logging(level: str) -> None:
    """Log from this level on, one of ``LEVELS``."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Line(FORMAT))
    handler.addFilter(_wanted)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


def inherit_logging(environ: Mapping[str, str]) -> None:
    """Log as the process that started this one does."""
    level = environ.get(VARIABLE, "")
    if level in LEVELS:
        set_up_logging(level)
