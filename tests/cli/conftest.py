"""The recfw command in this process, in an empty folder with a store of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.cli.main import invoke
from recfw.testing.project import Project, Typed

Recfw = Callable[..., Typed]


@pytest.fixture
def recfw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Recfw:
    """Give what runs `recfw` with words in this process; it returns status, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECFW_STORE", str(tmp_path / "runs.db"))

    def run(*words: str) -> Typed:
        capsys.readouterr()
        status = invoke(words)
        return Typed(status, *capsys.readouterr())

    return run


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Give an empty folder in which to type commands, each in a process of its own."""
    return Project(tmp_path, {"RECFW_STORE": str(tmp_path / "runs.db")})
