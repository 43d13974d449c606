"""`--json`: one object on standard output, nothing else there, and in it what the words would have said."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recfw.testing.project import Typed

Recfw = Callable[..., Typed]
Told = Callable[..., Any]
WITNESS = Path(__file__).parents[1] / "store" / "witnesses" / "schema-2.db"
SIGNED = ("--name", "A. Nother", "--contact", "a@example.org", "--system", "The fakes.", "--sign-off")


@pytest.fixture
def told(recfw: Recfw, tmp_path: Path) -> Told:
    """What types a command with --json where six runs are stored, and returns the object that it printed."""
    shutil.copy(WITNESS, tmp_path / "runs.db")

    def type_(*words: str, status: int = 0) -> Any:
        done = recfw(*words, "--json")
        assert done.status == status, done.err
        return json.loads(done.out)

    return type_


def test_export_and_import(told: Told, tmp_path: Path) -> None:
    """What was written, and what came of each run where it arrived."""
    out = told("export", "w2", "w4", "--out", "two.jsonl")
    assert out == {"runs": ["w2-pictures", "w4-flaky"], "out": "two.jsonl", "format": "jsonl",
                   "bytes": (tmp_path / "two.jsonl").stat().st_size, "redacted": 0}  # fmt: skip
    first, second = told("import", "two.jsonl", "--store", "new.db")["runs"]
    assert (first["run"], first["new"], first["attempts"], first["held"]) == ("w2-pictures", True, 9, 0)
    assert (second["run"], second["note"]) == ("w4-flaky", "")


def test_import_tells_what_was_done_before_an_error(recfw: Recfw, told: Told) -> None:
    """Of two files the second is none: the run of the first is in the object, and the error beside it."""
    told("export", "w2", "--out", "one.jsonl")
    Path("bad.jsonl").write_text("no export\n")
    done = recfw("import", "one.jsonl", "bad.jsonl", "--store", "new.db", "--json")
    assert (done.status, [run["run"] for run in json.loads(done.out)["runs"]]) == (4, ["w2-pictures"])
    assert recfw("import", "bad.jsonl", "--store", "new.db", "--json").out == ""


def test_merge(told: Told, tmp_path: Path) -> None:
    """As an import tells it."""
    shutil.copy(WITNESS, tmp_path / "other.db")
    (arrived,) = told("runs", "merge", "other.db", "w3")["runs"]
    assert (arrived["run"], arrived["new"], arrived["attempts"]) == ("w3-rounds", False, 0)


def test_tag_and_note(told: Told) -> None:
    """What the run has afterwards."""
    assert told("runs", "tag", "w2", "good") == {"run": "w2-pictures", "tags": ["base.2", "good", "paper"]}
    assert told("runs", "tag", "w3") == {"run": "w3-rounds", "tags": []}
    assert told("runs", "note", "w3", "a\nb") == {"run": "w3-rounds", "note": "a\nb"}
    assert told("runs", "note", "w1") == {"run": "w1-dialogue", "note": ""}


def test_delete_and_prune(told: Told) -> None:
    """Which runs are gone, which were spared and why, and how much they took."""
    assert told("runs", "delete", "w1", "--yes") == {"deleted": ["w1-dialogue"]}
    tried = told("runs", "prune", "--keep", "0", "--dry-run")
    assert ([run["id"] for run in tried["runs"]], tried["deleted"]) == (["w3-rounds", "w4-flaky", "w5-down"], [])
    assert tried["spared"] == [{"id": "w2-pictures", "why": "tagged"}, {"id": "w6-cut", "why": "tagged"}]
    done = told("runs", "prune", "--keep", "0", "--yes")
    assert done == {**tried, "deleted": ["w3-rounds", "w4-flaky", "w5-down"]}
    assert tried["bytes"] > sum(run["bytes"] for run in tried["runs"]) // 2


def test_judge(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was rated, what was before, what is left; the second time all of it was before."""
    monkeypatch.setenv("RECFW_PLUGINS", "fakes.plugin,fakes.metered")
    monkeypatch.setenv("FAKES_NOTES", str(tmp_path))
    words = ("judge", "w1", "--judge", "metered-judge", "--cell", "fake-asker", "--tasks", "d0")
    first = told(*words)
    assert (first["run"], first["judge"], first["judged"], first["already"]) == (
        "w1-dialogue", "metered-judge@1", 2, 0)  # fmt: skip
    assert first["figures"]["kindness"] == {"mean": 1.0, "scored": 2, "unscored": 0}
    assert (first["left"], first["failed"], first["stopped"]) == (0, {}, "")
    assert (told(*words)["already"], told(*words)["judged"]) == (2, 0)


def test_agreement(told: Told, tmp_path: Path) -> None:
    """Each figure's agreement, as numbers."""
    (tmp_path / "r.csv").write_text("trial,brevity\nfake-asker/d0/0,1\nfake-asker/d1/0,0\n")
    said = told("agreement", "w1", "--ratings", "r.csv")
    assert (said["run"], said["raters"], said["figures"][0]["figure"], said["figures"][0]["trials"]) == (
        "w1-dialogue", 1, "brevity", 2)  # fmt: skip


def test_submit_and_leaderboard(told: Told, tmp_path: Path) -> None:
    """What the bundle and the site hold."""
    (tmp_path / "bundles").mkdir()
    bundle = told("submit", "w2", "--out", "bundles/w2.tar", *SIGNED)
    assert (bundle["run"], bundle["bytes"]) == ("w2-pictures", (tmp_path / "bundles/w2.tar").stat().st_size)
    (tmp_path / "bundles/bad.tar").write_bytes(b"no bundle")
    site = told("leaderboard", "bundles", "--out", "site")
    assert (site["bundles"], site["tables"], [one["file"] for one in site["left_out"]]) == (1, 1, ["bad.tar"])


def test_plugins_check(recfw: Recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """--json is --format json, and --help says which form comes without either."""
    monkeypatch.setattr("recfw.cli.plugins_check.look", lambda *_: [])
    said = [recfw("plugins", "check", "core", *words) for words in (["--json"], ["--format", "json"])]
    assert said[0] == said[1]
    assert json.loads(said[0].out)["plugins"][0]["name"] == "core"
    assert "table or json. [default: table]" in recfw("plugins", "check", "--help").out
