"""`recfw run --plugin books`: what is refused before a run is created."""

from pathlib import Path

import pytest

from recfw.cli.main import invoke
from recfw.errors import ExitCode


@pytest.mark.parametrize("interface", ["structured", "keyword"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--retriever", "nope"), "no retriever 'nope' (known: "),
        (("--set", "track.tasks_file=/nope/tasks.jsonl"), "/nope/tasks.jsonl: cannot be read ("),
        (("--catalog", "/nope"), "/nope"),
    ],
)
def test_an_unknown_part_is_refused_on_either_interface(
    interface: str,
    words: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is not there is told even where it would not be used, and nothing is stored."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECFW_STORE", "runs.db")
    status = invoke(["run", "--plugin", "books", "--interface", interface, *words])
    told_of = capsys.readouterr().err
    assert status in {ExitCode.USAGE, ExitCode.DATA}
    assert told in told_of
    assert "--resume" not in told_of
    invoke(["runs", "list"])
    assert capsys.readouterr().out.startswith("No runs are stored yet.")
