"""`recfw verify`, as it is typed: exit status, words, and verdicts that are kept."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from fakes.bundling import parts_of, put_together

from recfw.errors import ExitCode
from recfw.submission.manifest import FIGURES
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]
WITNESS = Path(__file__).parents[1] / "store" / "witnesses" / "schema-1.db"


@pytest.fixture
def bundle(recfw: Recfw, tmp_path: Path) -> Path:
    """A bundle of a run of the fakes, in the current folder."""
    shutil.copy(WITNESS, tmp_path / "runs.db")
    signed = ("--name", "A. Nother", "--contact", "a@example.org", "--system", "The fakes.", "--sign-off")
    assert recfw("submit", "w3", "--out", "mine.tar", *signed).status == 0
    (tmp_path / "runs.db").unlink()
    return tmp_path / "mine.tar"


def test_it_checks_and_replays(recfw: Recfw, bundle: Path) -> None:
    """All that can be checked is, one line each; nothing enters a store here."""
    done = recfw("verify", "mine.tar")
    words = [line.split()[0] for line in done.out.splitlines()]
    assert (done.status, words[0], "DIFFERS" in words) == (0, "note", False)
    assert "trials played again, event by event" in done.out
    assert not (bundle.parent / "runs.db").exists()


def test_a_difference_is_exit_status_one(recfw: Recfw, bundle: Path) -> None:
    """Declared figures that the scores do not give are named, and the status is 1."""
    parts = parts_of(bundle)
    figures = orjson.loads(parts[FIGURES])
    figures["tasks"] += 1
    put_together(bundle, {**parts, FIGURES: orjson.dumps(figures)})
    done = recfw("verify", "mine.tar", "--no-replay")
    assert (done.status, "DIFFERS   figures          tasks: " in done.out) == (ExitCode.FOUND, True)
    assert done.out.splitlines()[-1].startswith("mine.tar: differs (SHA-256 ")


def test_an_altered_file_is_exit_status_one(recfw: Recfw, bundle: Path) -> None:
    """A bundle that is cut off or altered is told in one line, and no verdict on it is kept."""
    bundle.write_bytes(bundle.read_bytes()[:5000])
    done = recfw("verify", "mine.tar", "--record", "verdicts")
    assert (done.status, done.out.splitlines()[-1]) == (ExitCode.FOUND, "mine.tar: differs")
    assert "DIFFERS   parts            mine.tar: the file is cut off. Get a whole copy." in done.out
    assert not (bundle.parent / "verdicts").exists()


def test_a_verdict_is_kept(recfw: Recfw, bundle: Path) -> None:
    """--record keeps the findings under the bundle's SHA-256, and --json prints them."""
    done = recfw("verify", "mine.tar", "--no-replay", "--json", "--record", "verdicts")
    told = json.loads(done.out)
    kept = json.loads((bundle.parent / "verdicts" / f"{told['sha256']}.json").read_text())
    assert (told.pop("verdict"), told) == ("partly verified", kept)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no.tar"], "no.tar: there is no such file."),
        (["mine.tar", "--sample", "2", "--no-replay"], "--sample and --no-replay exclude each other."),
        (["mine.tar", "--record", ""], "--record is empty."),
        ([], "Missing argument 'BUNDLE'"),
    ],
)
def test_it_refuses(recfw: Recfw, bundle: Path, words: list[str], said: str) -> None:
    """Each mistake is an error of usage."""
    done = recfw("verify", *words)
    assert (done.status, said in done.err) == (ExitCode.USAGE, True)


def test_a_missing_plugin_is_said(recfw: Recfw, bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the track's plugin, what could not be checked is said, and the status is 0."""
    monkeypatch.delenv("RECFW_PLUGINS")
    done = recfw("verify", "mine.tar")
    unchecked = [line.split()[1] for line in done.out.splitlines() if line.startswith("unchecked")]
    assert (done.status, unchecked) == (0, ["scores", "replay"])
    assert ": partly verified (SHA-256 " in done.out
