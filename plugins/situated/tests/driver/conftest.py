"""What the driver's tests share: a foreign server, started on demand and stopped after each test."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # --import-mode=importlib leaves sys.path alone

from foreign_server import ForeignServer
from tiny_scene import tiny_scene


@pytest.fixture
def serve():
    """Return a function that starts a foreign server on the tiny scene."""
    servers = []

    def start(**dialect):
        servers.append(ForeignServer(dialect.pop("scene", tiny_scene()), **dialect))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
