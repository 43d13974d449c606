"""What the plugin offers, and how little listing it loads."""

import subprocess
import sys

import click
import pytest

from recfw.cli.lazy import load
from recfw.protocols import CommandRef
from recfw_orchestration.cli import COMMANDS

LISTING = """
import sys
from recfw.plugins import build_manager
from recfw.registry import Registry
registry = Registry(build_manager({"RECFW_DISABLE_PLUGINS": "books,litellm,situated"}))
for kind in ("tracks", "agents", "users", "metrics", "judges", "analyses"):
    print(kind, [name for name in registry.names(kind) if name.startswith("orchestration")])
print([name for name in ("mcp", "scipy", "implicit", "snowballstemmer") if name in sys.modules])
"""


@pytest.mark.parametrize("ref", COMMANDS, ids=[ref.name for ref in COMMANDS])
def test_every_command_of_the_group_is_there(ref: CommandRef) -> None:
    """Under the name by which it is listed."""
    command = load(ref)
    assert isinstance(command, click.Command)
    assert command.name == ref.name


def test_listing_what_there_is_loads_no_heavy_library() -> None:
    """Track, agents, user, metrics, judge and analysis are offered without the SDK, scipy or the recommender."""
    done = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "tracks ['orchestration']",
        "agents ['orchestration-gold', 'orchestration-random', 'orchestration-router']",
        "users ['orchestration-opening']",
        "metrics ['orchestration', 'orchestration-conduct']",
        "judges ['orchestration-rules']",
        "analyses ['orchestration-paper']",
        "[]",
    ]
