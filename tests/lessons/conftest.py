"""Commands typed where the components live that hurt."""

from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest
from fakes.pain import Pain

from recfw.cli.main import invoke
from recfw.testing.project import Project, Typed


@pytest.fixture
def pain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Pain]:
    """A folder in which the painful components can be played."""
    monkeypatch.chdir(tmp_path)
    notes = tmp_path / "notes"
    notes.mkdir()
    plugins = "fakes.plugin,fakes.trouble,fakes.painful,fakes.metered"
    place = str(tmp_path / "runs.db")
    for name, value in (("RECFW_PLUGINS", plugins), ("FAKES_NOTES", str(notes)), ("RECFW_STORE", place)):
        monkeypatch.setenv(name, value)

    def typed(*words: str) -> Typed:
        capsys.readouterr()
        status = invoke(words)
        return Typed(status, *capsys.readouterr())

    started: list[Popen[bytes]] = []
    yield Pain(tmp_path, notes, typed, Project(tmp_path, {}), started)
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()
