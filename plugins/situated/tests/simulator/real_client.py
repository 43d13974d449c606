"""The public ``unrealcv`` client as tests use it: without cv2 and docker, silent; and a simulator for it."""

import contextlib
import importlib
import io
import logging
import sys
import threading
import types
from collections.abc import Iterator
from typing import Any

import small_store

from recfw_situated.simulator.server import Server
from recfw_situated.simulator.table import table
from recfw_situated.simulator.world import World


def client_class() -> type[Any]:
    """unrealcv.Client, with placeholders for what its package imports and never needs here."""
    for name in ("cv2", "docker"):
        if name not in sys.modules:
            try:
                importlib.import_module(name)
            except Exception:
                sys.modules[name] = types.ModuleType(name)
    with contextlib.redirect_stdout(io.StringIO()):
        module = importlib.import_module("unrealcv")
    logging.getLogger("unrealcv").setLevel(logging.CRITICAL)
    found: type[Any] = module.Client
    return found


def small_world() -> World:
    """The hand-made store, opened."""
    return World(small_store.scene(), small_store.parts(), small_store.obstacles())


@contextlib.contextmanager
def served(world: World) -> Iterator[Server]:
    """Serve a world at a free port for as long as the block runs."""
    server = Server(world, table())
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(timeout=5)


@contextlib.contextmanager
def connected(port: int) -> Iterator[Any]:
    """A real client, connected."""
    with contextlib.redirect_stdout(io.StringIO()):
        client = client_class()(("127.0.0.1", port))
        assert client.connect()
        try:
            yield client
        finally:
            client.disconnect()
