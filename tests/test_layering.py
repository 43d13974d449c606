"""What core may say and what its command line may load."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

CORE = Path(__file__).parents[1] / "core/recfw"
FORBIDDEN = ("book", "books", "shelf", "shelves", "supermarket", "mcp", "unreal", "litellm", "yelp", "amazon")
HEAVY = ("numpy", "sqlmodel", "sqlalchemy", "scipy", "rich", "yaml", "statsmodels", "litellm", "mcp")

SEE = """
import json, sys, time
from recfw.cli.main import invoke
status = invoke(["--help"])
loaded = sorted(name for name in sys.modules if "." not in name)
print(json.dumps({"status": status, "loaded": loaded, "cpu": time.process_time()}), file=sys.stderr)
"""


def words(text: str) -> set[str]:
    """Return the words of source text, identifiers taken apart at underscores and capitals."""
    return {word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda path: str(path.relative_to(CORE)))
def test_core_names_no_domain(path: Path) -> None:
    """No identifier, string or comment of core names a plugin or a track's domain."""
    text = path.read_text(encoding="utf-8")
    assert words(text) & set(FORBIDDEN) == set()
    assert [word for word in FORBIDDEN[2:] if word in text.casefold()] == []


def test_words_are_taken_apart() -> None:
    """The check above sees a word within an identifier, and not within another word."""
    assert words("class BookShelf: old_books = MCPServer") >= {"book", "shelf", "books", "mcp", "server"}
    assert "book" not in words("bookkeeping")


def help_seen(environment: dict[str, str]) -> dict[str, object]:
    """Return what `recfw --help` loaded and how much CPU it took, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SEE], capture_output=True, text=True, check=True, env=environment, timeout=60
    )
    return dict(json.loads(done.stderr.splitlines()[-1]))


@pytest.fixture
def every_plugin(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment in which every installed plugin is loaded, the fakes besides."""
    monkeypatch.delenv("RECFW_DISABLE_PLUGINS", raising=False)
    return dict(os.environ)


def test_help_loads_nothing_heavy(every_plugin: dict[str, str]) -> None:
    """With every plugin installed, `recfw --help` loads neither the store nor statistics, terminal or YAML."""
    seen = help_seen(every_plugin)
    modules = {entry.module.partition(".")[0] for entry in entry_points(group="recfw")}
    assert seen["status"] == 0
    assert modules <= set(seen["loaded"])
    assert sorted(set(HEAVY) & set(seen["loaded"])) == []


def test_help_is_light(every_plugin: dict[str, str]) -> None:
    """With every plugin installed, `recfw --help` takes at most 0.3 s of CPU at its best of five."""
    assert min(float(str(help_seen(every_plugin)["cpu"])) for _ in range(5)) < 0.3
