"""Asking a Python of its own something that plugins' code takes part in."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

import orjson


def asked(code: str, *words: str, environ: Mapping[str, str] | None = None, seconds: float = 60) -> Any:
    """
    Return the JSON that code prints; None where it prints none.

    Raises:
        subprocess.TimeoutExpired: It took longer.
    """
    with tempfile.TemporaryFile() as told:  # a pipe would not end while anything that a plugin started holds it
        subprocess.run(  # noqa: S603 - this Python, and a text of our own
            [sys.executable, "-c", code, *words],
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
        told.seek(0)
        try:
            return orjson.loads(told.read())
        except orjson.JSONDecodeError:
            return None
