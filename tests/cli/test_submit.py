"""`recfw submit`, as it is typed: what it asks for, what it refuses, and that others can check what it wrote."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.errors import ExitCode
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]
WITNESS = Path(__file__).parents[1] / "store" / "witnesses" / "schema-1.db"
SIGNED = ("--name", "A. Nother", "--contact", "a@example.org", "--system", "The fakes.", "--sign-off")


@pytest.fixture
def here(recfw: Recfw, tmp_path: Path) -> Path:
    """A folder with a store of six runs."""
    shutil.copy(WITNESS, tmp_path / "runs.db")
    return tmp_path


def test_it_says_what_it_wrote(recfw: Recfw, here: Path) -> None:
    """The bundle's size, who signed it and its SHA-256 are told."""
    done = recfw("submit", "w2", "--out", "mine.tar", *SIGNED)
    first, second = done.out.splitlines()
    assert (done.status, first.endswith("signed off by A. Nother."), second[:8]) == (0, True, "SHA-256 ")
    assert done.err == "Check it as others will: recfw verify mine.tar\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["w2", "--out", "", *SIGNED], "--out is empty."),
        (["w2", "--out", "no/x.tar", *SIGNED], "there is no folder no. Make it first."),
        (["w2", "--out", "taken", *SIGNED], "is a folder."),
        (["w2", "--out", "runs.db", *SIGNED], "exists already. Name another file, or say --overwrite."),
        (["w2", "--out", "x.tar", *SIGNED, "--cell", "no"], "has no cell 'no'"),
        (["w9", "--out", "x.tar", *SIGNED], "no run 'w9'"),
        (["w6", "--out", "x.tar", *SIGNED], "is not complete: "),
        (["w2", "--out", "x.tar", *SIGNED[2:]], "--name is missing, and there is no terminal to ask on."),
        (["w2", "--out", "x.tar", *SIGNED[:-1]], "a bundle must be signed off"),
        (["w2", "--out", "x.tar", *SIGNED, "--homepage", "ftp://x"], "--homepage is no https:// address"),
    ],
)
def test_it_refuses(recfw: Recfw, here: Path, words: list[str], said: str) -> None:
    """Each mistake is an error of usage with a next step, and nothing is written."""
    (here / "taken").mkdir()
    done = recfw("submit", *words)
    assert (done.status, said in done.err, (here / "x.tar").exists()) == (ExitCode.USAGE, True, False)


def test_it_asks_on_a_terminal(recfw: Recfw, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no option says is asked for, and the statement is shown before it is signed."""
    answers = iter(["Me", "me@example.org", "Mine."])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.prompt", lambda text, err: next(answers))
    monkeypatch.setattr("click.confirm", lambda text, err: False)
    done = recfw("submit", "w2", "--out", "x.tar")
    assert (done.status, "nothing of it was left out" in done.err) == (ExitCode.USAGE, True)
    assert "it was not signed off" in done.err


def test_an_incomplete_run_says_so(recfw: Recfw, here: Path) -> None:
    """With --incomplete a run that lacks trials is written, and its counts tell."""
    assert recfw("submit", "w6", "--out", "x.tar", "--incomplete", *SIGNED).status == 0
    assert recfw("verify", "x.tar", "--no-replay").status == 0
