"""An environment over a fake store, and replies in one line."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # --import-mode=importlib leaves sys.path alone

from situated_playing import begin


@pytest.fixture
def play():
    """A function that begins an episode of a scene over a fake store."""
    return begin
