"""What the simulator's tests share: the small store, a table of commands over it, and one that is served."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import real_client

from recfw_situated.simulator.server import Server
from recfw_situated.simulator.table import table
from recfw_situated.simulator.world import World


@pytest.fixture
def world() -> World:
    """The small store, opened."""
    return real_client.small_world()


@pytest.fixture
def ask(world: World) -> Any:
    """Answer a command on the small store without a socket."""
    commands = table()
    return lambda command: commands.answer(world, command)


@pytest.fixture
def call(ask: Any) -> Any:
    """Answer a call on the user as a dict."""
    return lambda words: json.loads(ask(f"vbp User {words}"))


@pytest.fixture
def server(world: World) -> Iterator[Server]:
    """The small store behind a port."""
    with real_client.served(world) as running:
        yield running
