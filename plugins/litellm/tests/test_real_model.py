"""Five books tasks with a real small model as agent, where ``../shared/tools/local-llm up`` serves one on loopback."""

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from recfw.testing.project import Project

BASE = "http://127.0.0.1:8103/v1"


@pytest.fixture
def served() -> None:
    """Skip where nobody serves the model: it is no part of the project."""
    try:
        with urllib.request.urlopen(f"{BASE}/models", timeout=5):
            pass
    except (OSError, urllib.error.URLError):
        pytest.skip("no model is served at 127.0.0.1:8103 (../shared/tools/local-llm up)")


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.usefixtures("served")
def test_five_tasks_with_a_real_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it says, every trial ends by a named reason, none fails as infrastructure, and the run replays."""
    monkeypatch.setenv("RECFW_PLUGINS", "")
    project = Project(tmp_path, {"RECFW_STORE": str(tmp_path / "runs.db"), "OPENAI_API_KEY": "sk-none-none-none"})
    settings = ("agent.model=openai/local", f"agent.api_base={BASE}", "agent.max_tokens=300", "limits.seconds.agent=60")
    words = [word for text in settings for word in ("--set", text)]
    tasks = [
        f"b00{n}-{kind}" for n, kind in ((1, "volunteer"), (2, "mixed"), (3, "hidden"), (4, "mixed"), (5, "volunteer"))
    ]
    chosen = [word for task in tasks for word in ("--tasks", task)]
    run = ("run", "--plugin", "books", "--agent", "litellm", *words, *chosen, "--concurrency", "1", "--json")
    done = project.type(*run, seconds=1000)
    assert 0 == done.status, done.err
    told = json.loads(done.out)
    assert (5, 0) == (told["completed"], told["failed"])
    assert told["tokens"] > 0
    assert 0 == project.type("replay").status
