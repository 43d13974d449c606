"""The fixture ``project`` does in this process what a typed command does in one of its own."""

import os
import subprocess
from pathlib import Path

import pytest

from recfw.testing.project import Project, Typed


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Give an empty folder."""
    return Project(tmp_path, {"RECFW_STORE": str(tmp_path / "runs.db")})


@pytest.mark.parametrize(
    "words",
    [
        ("plugins", "info", "effort", "--json"),
        ("plugins", "info", "no-such"),
        ("run", "--track", "fake-dialogue", "--tasks", "d0", "--set", "fake-asker.none=1"),
        ("--no-such-option",),
    ],
)
def test_a_called_command_does_what_a_typed_one_does(project: Project, words: tuple[str, ...]) -> None:
    """Equal status, output and errors, be the output bytes or text, or nothing but an error."""
    assert project.type(*words) == project.call(*words)


def test_a_call_needs_no_process(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run and its report are had without one, and use the project's folder and store."""
    monkeypatch.setattr(subprocess, "Popen", None)
    assert project.call("run", "--track", "fake-dialogue", "--tasks", "d0", "--quiet").status == 0
    told = project.call("report", "--out", "report.html")
    assert Typed(0, "", "") == told
    assert {"report.html", "runs.db"} <= {path.name for path in project.folder.iterdir()}


def test_a_call_leaves_this_process_as_it_was(project: Project) -> None:
    """Its folder and its environment are its own."""
    before = Path.cwd(), dict(os.environ)
    project.call("--color", "never", "plugins", "list")
    assert before == (Path.cwd(), dict(os.environ))
