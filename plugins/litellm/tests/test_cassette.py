"""
Conversations with a real model, from kept answers: Qwen2.5-Coder-0.5B-Instruct as user and as agent of the books track.

The answers were recorded by ``fixtures/cassettes/record.sh`` against a local llama.cpp server; nothing is sent here.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recfw.cli.main import invoke
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]

CASSETTE = Path(__file__).resolve().parents[3] / "fixtures" / "cassettes" / "local-model"
MODEL = ("model=openai/local", "api_base=http://127.0.0.1:8103/v1")
OFFLINE = ("--cache", str(CASSETTE), "--cache-only", "--concurrency", "1", "--json")
USER = (*MODEL, "temperature=1", "max_tokens=120")
AGENT = (*MODEL, "temperature=0", "max_tokens=200")


def _settings(role: str, options: tuple[str, ...], *limits: str) -> list[str]:
    words = [f"{role}.{option}" for option in options] + [f"limits.{limit}" for limit in limits]
    return [word for text in words for word in ("--set", text)]


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], library: Any) -> Recfw:
    """Give what types commands in this process, in an empty folder and without a way to any server."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECFW_PLUGINS", "")
    monkeypatch.setenv("RECFW_STORE", str(tmp_path / "runs.db"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-none-none")
    monkeypatch.setenv("COLUMNS", "80")

    def typed(*words: str) -> Typed:
        capsys.readouterr()
        status = invoke(words)
        return Typed(status, *capsys.readouterr())

    return typed


def test_a_real_model_voices_the_user(offline: Recfw) -> None:
    """Three conversations with it as user play again from kept answers, cost nothing, and replay without difference."""
    tasks = [word for task in ("b001-volunteer", "b002-mixed", "b003-hidden") for word in ("--tasks", task)]
    words = _settings("user", USER, "turns.agent=4")
    done = offline("run", "--plugin", "books", "--agent", "popularity", "--user", "litellm", *words, *tasks, *OFFLINE)
    assert 0 == done.status, done.err
    told = json.loads(done.out)
    assert (3, 0, 0.0) == (told["completed"], told["failed"], told["cost"])
    trace = offline("trace", "latest", "b002-mixed").out
    assert "I have selected a Biography & Memoir book." in trace  # it plays its part badly, as it did when recorded
    assert "###ACCEPTED###" not in trace.partition("agent 4")[2].partition("[proposal]")[0]
    assert 0 == offline("replay").status


def test_a_real_model_plays_the_agent(offline: Recfw) -> None:
    """Three replies of it as agent play again; the same wrong call over and over is answered each time."""
    words = _settings("agent", AGENT, "replies.agent=3")
    done = offline("run", "--plugin", "books", "--agent", "litellm", *words, "--tasks", "b004-mixed", *OFFLINE)
    assert 0 == done.status, done.err
    assert 1 == json.loads(done.out)["completed"]
    assert "agent_reply_limit" in offline("trace", "latest", "b004-mixed").out
