"""The public ``unrealcv`` client, imported without what it drags in and made fit to live inside a run."""

import importlib
import logging
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

HEAVY = ("cv2", "docker")
"""What ``import unrealcv`` pulls for functions that are never called here. ``cv2`` also wants libGL, which bare Debian
lacks."""


@contextmanager
def _stood_in_for(names: tuple[str, ...]) -> Iterator[None]:
    """Put an empty module in the place of each that cannot be imported, for as long as the block runs."""
    placed = []
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:  # noqa: BLE001 - a missing module, or one that fails on a missing system library
            sys.modules[name] = types.ModuleType(name, "Stands in while unrealcv is imported.")
            placed.append(name)
    try:
        yield
    finally:
        for name in placed:
            sys.modules.pop(name, None)


@cache
def quiet_client() -> type[Any]:
    """
    Return a subclass of ``unrealcv.Client`` that fails at once and in silence.

    The client of 1.3.2 prints to stdout, logs to stderr, answers a dropped connection after 55 s of attempts to read
    the dead socket, and ends its thread with a traceback on a wrong id, so that whoever waits does so for ever. Here a
    drop and a wrong id reach the waiting request as exceptions.
    """
    with _stood_in_for(HEAVY):
        module = importlib.import_module("unrealcv")
    vars(module)["print"] = _say_nothing
    log = logging.getLogger(module.__name__)
    log.handlers[:] = [logging.NullHandler()]
    log.setLevel(logging.CRITICAL + 1)
    base: Any = module.Client

    class QuietClient(base):  # type: ignore[misc]  # unrealcv has no types
        """unrealcv's client, for one connection."""

        RECONNECT_ATTEMPTS = 0
        RECONNECT_BASE_DELAY = 0.0

        def raw_message_handler(self, raw_message: bytes) -> Any:
            """Return the answer's body, or the exception that the request is to raise."""
            try:
                body = super().raw_message_handler(raw_message)
            except AssertionError as error:
                return ConnectionError(str(error))
            return ConnectionError("a message without an id") if body is None else body

        def receive_loop_queue(self) -> None:
            """Receive until the connection ends; its end has reached the waiting request as an exception."""
            with suppress(Exception):
                super().receive_loop_queue()

        def _warn_if_command_maybe_unsupported(self, message: Any) -> None:
            """Stay silent: what a build lacks is probed once, not warned of at every request."""

        def _warn_command_capabilities_unavailable(self) -> None:
            """Stay silent, likewise."""

    return QuietClient


def _say_nothing(*_: object, **__: object) -> None:
    """Stand in for ``print`` in unrealcv's client: stdout belongs to the command."""
