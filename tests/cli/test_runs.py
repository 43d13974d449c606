"""`recfw runs list|show|tag|note|delete|prune`, as they are typed."""

import contextlib
import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.cli.measures import size_words
from recfw.errors import ExitCode
from recfw.store.holders import state_of
from recfw.store.repository import Store
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]
WITNESS = Path(__file__).parents[1] / "store" / "witnesses" / "schema-1.db"
DAY = 86_400.0


@pytest.fixture
def stored(recfw: Recfw, tmp_path: Path) -> Path:
    """A store of six runs, begun 10, 20 … 60 days ago, the last of them the oldest; their names begin with w1 to w6."""
    path = Path(shutil.copy(WITNESS, tmp_path / "runs.db"))
    with Store.open(path) as store, store.database.write() as connection:
        for number, run in enumerate(("w1-dialogue", "w2-pictures", "w3-rounds", "w4-flaky", "w5-down", "w6-cut"), 1):
            created = time.time() - 10 * number * DAY
            connection.exec_driver_sql("UPDATE run SET created = ? WHERE id = ?", (created, run))
    return path


def ids(recfw: Recfw, *words: str) -> list[str]:
    """Return the beginnings of the listed runs' names."""
    return [run["id"][:2] for run in json.loads(recfw("runs", "list", "--json", *words).out)]


class TestList:
    """What is listed, and how."""

    def test_nothing_stored(self, recfw: Recfw) -> None:
        """Where there is no store yet, that is said, and none is made."""
        assert recfw("runs", "list").out.startswith("No runs are stored yet.")
        assert recfw("runs", "list", "--json").out == "[]\n"
        assert not Path("runs.db").exists()

    def test_table(self, recfw: Recfw, stored: Path) -> None:
        """A line a run, the oldest first; tags have a column where there are any."""
        assert "tags" not in recfw("runs", "list").out
        recfw("runs", "tag", "w5", "paper", "base")
        head, *lines = recfw("runs", "list").out.splitlines()
        assert [line.split()[0] for line in lines] == [
            "w6-cut", "w5-down", "w4-flaky", "w3-rounds", "w2-pictures", "w1-dialogue",
        ]  # fmt: skip
        assert lines[1].split() == ["w5-down", "fake-dialogue", "incomplete", "7/8", "1", "base,paper", "fake-flaky"]
        assert lines[1].index("base,paper") == head.index("tags")

    def test_filters(self, recfw: Recfw, stored: Path) -> None:
        """Runs are narrowed by track and by tags, of which they must have all."""
        recfw("runs", "tag", "w5", "paper", "base")
        recfw("runs", "tag", "w1", "paper")
        found = [
            ids(recfw, *words)
            for words in (
                ["--track", "fake-rounds"],
                ["--tag", "paper"],
                ["--tag", "paper", "--tag", "base"],
                ["--tag", "x"],
            )
        ]
        assert found == [["w3"], ["w5", "w1"], ["w5"], []]
        assert recfw("runs", "list", "--tag", "x").out.startswith("None of the 6 stored runs")

    def test_json(self, recfw: Recfw, stored: Path) -> None:
        """A script gets what the table shows, and digests, versions and the note."""
        recfw("runs", "note", "w5", "why\nit failed")
        (run,) = [run for run in json.loads(recfw("runs", "list", "--json").out) if run["id"] == "w5-down"]
        assert {name: run[name] for name in ("status", "planned", "completed", "failed", "tags", "note", "cells")} == {
            "status": "incomplete",
            "planned": 8,
            "completed": 7,
            "failed": 1,
            "tags": [],
            "note": "why\nit failed",
            "cells": ["fake-flaky"],
        }


class TestAbandoned:
    """A run that says it runs, and whether anybody carries it."""

    def states(self, recfw: Recfw) -> tuple[str, str, str]:
        """Return what the list says in words and as data, and what `runs show` says."""
        line = next(line for line in recfw("runs", "list").out.splitlines() if line.startswith("w6-cut"))
        (run,) = [run for run in json.loads(recfw("runs", "list", "--json").out) if run["id"] == "w6-cut"]
        shown = next(line for line in recfw("runs", "show", "w6").out.splitlines() if line.startswith("status"))
        assert run["status"] == "running"
        assert json.loads(recfw("runs", "show", "w6", "--json").out)["state"] == run["state"]
        return line.split()[2], run["state"], shown.split()[1].rstrip(":")

    @pytest.mark.parametrize("fate", ["gone", "killed", "carried"])
    def test_only_who_is_carried_runs(self, recfw: Recfw, stored: Path, fate: str) -> None:
        """Without a journal, or with that of a process that is dead, it is abandoned, as `runs watch` says."""
        said = ("running", "running", "running") if fate == "carried" else ("abandoned", "stale", "abandoned")
        with Store.open(stored) as store, contextlib.ExitStack() as held:
            if fate == "carried":
                held.enter_context(store.journal("w6-cut").lock())
            elif fate == "killed":
                lock = store.journal("w6-cut").folder / "lock"
                lock.parent.mkdir(parents=True)
                lock.write_text(f"{2**22 + 7}\n")
            assert self.states(recfw) == said
            assert recfw("runs", "watch", "w6", "--once").out.startswith(f"w6-cut {said[0]}: ")

    def test_one_that_ended_meanwhile_is_not_abandoned(self, tmp_path: Path) -> None:
        """Its status was read while it ran, and it was let go before anybody looked: it was carried before."""
        assert state_of("r1", "running", tmp_path, {"r1"}, local=True) == "running"
        assert state_of("r1", "running", tmp_path, (), local=True) == "stale"

    def test_a_servers_run_may_be_carried_elsewhere(self, tmp_path: Path) -> None:
        """Without a journal here, nothing can be said of a run on a server."""
        assert state_of("r1", "running", tmp_path, (), local=False) == "unseen"
        (tmp_path / "r1").mkdir()
        assert state_of("r1", "running", tmp_path, (), local=False) == "stale"


class TestShow:
    """One run in full."""

    def test_disk_use(self, recfw: Recfw, stored: Path) -> None:
        """What the run takes is shown by its parts, which add up."""
        told = json.loads(recfw("runs", "show", "w2", "--json").out)["bytes"]
        assert told["total"] == told["traces"] + told["attachments"] + told["rows"]
        assert told["attachments"] > 0
        assert told["attempts"] == 9
        line = next(line for line in recfw("runs", "show", "w2").out.splitlines() if line.startswith("disk"))
        assert f"{size_words(told['total'])}: traces {size_words(told['traces'])}" in line

    def test_shared_attachments(self, recfw: Recfw, stored: Path) -> None:
        """Attachments that another run has too are told apart: deleting this run would not free them."""
        with Store.open(stored) as store:
            key = next(store.trials("w1-dialogue")).key
            (kept, *_) = (info for info in store.trials("w2-pictures"))
            sha = store.attachment_index("w2-pictures", kept.key)[0].sha256
            number = "(SELECT id FROM trial WHERE run_id = 'w1-dialogue' AND task_id = ? LIMIT 1)"
            with store.database.write() as connection:
                connection.exec_driver_sql(f"INSERT INTO trial_attachment VALUES ({number}, ?)", (key.task, sha))
        assert json.loads(recfw("runs", "show", "w1", "--json").out)["bytes"]["shared"] > 0
        assert "shared with other runs" in recfw("runs", "show", "w1").out

    def test_labels(self, recfw: Recfw, stored: Path) -> None:
        """Tags and the note are shown, the note line by line."""
        recfw("runs", "tag", "w3", "base")
        recfw("runs", "note", "w3", "one\ntwo")
        lines = recfw("runs", "show", "base").out.splitlines()
        assert lines[1:4] == ["tags            base", "note            one", f"{'':16}two"]

    def test_endings(self, recfw: Recfw, stored: Path) -> None:
        """Every ending is counted once per trial, by its last word."""
        lines = [line for line in recfw("runs", "show", "w5").out.splitlines() if line.startswith("ending")]
        assert [line.split()[1:3] for line in lines] == [["7", "completed:"], ["1", "failed:"]]


class TestLabels:
    """Tags and notes."""

    def test_tags_come_and_go(self, recfw: Recfw, stored: Path) -> None:
        """Tags are added once, shown in order, and removed."""
        assert recfw("runs", "tag", "w1").out == "w1-dialogue: no tags\n"
        assert recfw("runs", "tag", "w1", "b", "a", "b").out == "w1-dialogue: a, b\n"
        assert recfw("runs", "tag", "w1", "b", "--remove").out == "w1-dialogue: a\n"

    @pytest.mark.parametrize("tag", ["latest", "@", "", "two words", "-x", "a/b", "x" * 65, "a\nb"])
    def test_what_is_no_tag(self, recfw: Recfw, stored: Path, tag: str) -> None:
        """A word that would be mistaken for something else is refused."""
        assert recfw("runs", "tag", "w1", "--", tag).status == ExitCode.USAGE
        assert recfw("runs", "tag", "w1").out == "w1-dialogue: no tags\n"

    @pytest.mark.parametrize("words", [["w1", "no", "--remove"], ["w1", "--remove"]])
    def test_removing_what_is_not_there(self, recfw: Recfw, stored: Path, words: list[str]) -> None:
        """A tag that the run does not have is named, and none is removed."""
        assert recfw("runs", "tag", *words).status == ExitCode.USAGE

    def test_run_by_tag(self, recfw: Recfw, stored: Path) -> None:
        """A tag names a run while no other has it; then both are named. An id and `latest` come first."""
        recfw("runs", "tag", "w5", "base", "w1-dialogue")
        assert recfw("runs", "show", "base").out.splitlines()[0].endswith("w5-down")
        assert recfw("runs", "show", "w1-dialogue").out.splitlines()[0].endswith("w1-dialogue")
        recfw("runs", "tag", "w3", "base")
        done = recfw("runs", "show", "base")
        assert done.status == ExitCode.USAGE
        assert "2 runs have the tag 'base': w5-down, w3-rounds. Name one by its id." in done.err

    def test_close_tag_is_suggested(self, recfw: Recfw, stored: Path) -> None:
        """A tag that was typed wrongly is suggested."""
        recfw("runs", "tag", "w5", "baseline")
        assert "Did you mean 'baseline'?" in recfw("runs", "show", "basline").err

    def test_note(self, recfw: Recfw, stored: Path) -> None:
        """A note is written, replaced, shown and cleared."""
        assert recfw("runs", "note", "w1").out == "w1-dialogue: no note\n"
        recfw("runs", "note", "w1", "first")
        assert recfw("runs", "note", "w1", " second ").out == "second\n"
        assert recfw("runs", "note", "w1").out == "second\n"
        assert recfw("runs", "note", "w1", "--clear").out == "w1-dialogue: no note\n"

    @pytest.mark.parametrize("words", [["x", "--clear"], [" "], ["x" * 20_001]])
    def test_what_is_no_note(self, recfw: Recfw, stored: Path, words: list[str]) -> None:
        """An empty or endless note is refused, and so is one that is to be cleared at once."""
        assert recfw("runs", "note", "w1", *words).status == ExitCode.USAGE

    def test_hostile_note_does_not_steer_the_terminal(self, recfw: Recfw, stored: Path) -> None:
        """Characters that steer a terminal are shown and not sent."""
        recfw("runs", "note", "w1", "a\x1b[31mred")
        assert "\x1b" not in recfw("runs", "note", "w1").out + recfw("runs", "show", "w1").out

    def test_deleting_takes_them_along(self, recfw: Recfw, stored: Path) -> None:
        """A deleted run leaves no tags and no note."""
        recfw("runs", "tag", "w1", "a")
        recfw("runs", "note", "w1", "b")
        recfw("runs", "delete", "w1", "--yes")
        with Store.open(stored) as store:
            assert (store.labels.tags(), store.labels.notes()) == ({}, {})


class TestPrune:
    """Old runs go, and only those."""

    @pytest.mark.parametrize(
        ("words", "left"),
        [
            (["--older-than", "35d"], "w3 w2 w1"),
            (["--older-than", "5w"], "w3 w2 w1"),
            (["--older-than", "1y"], "w6 w5 w4 w3 w2 w1"),
            (["--keep", "2"], "w2 w1"),
            (["--keep", "0"], ""),
            (["--keep", "9"], "w6 w5 w4 w3 w2 w1"),
            (["--status", "incomplete"], "w6 w4 w3 w2 w1"),
            (["--status", "incomplete", "--status", "running"], "w4 w3 w2 w1"),
            (["--keep", "1", "--track", "fake-dialogue"], "w3 w2 w1"),
            (["--keep", "2", "--older-than", "45d"], "w4 w3 w2 w1"),
        ],
    )
    def test_which_runs(self, recfw: Recfw, stored: Path, words: list[str], left: str) -> None:
        """Runs to which every option applies are deleted."""
        assert recfw("runs", "prune", *words, "--yes").status == 0
        assert ids(recfw) == left.split()

    def test_dry_run(self, recfw: Recfw, stored: Path) -> None:
        """What would go is listed with its size, and stays."""
        lines = recfw("runs", "prune", "--keep", "4", "--dry-run").out.splitlines()
        assert [line.split()[0] for line in lines] == ["w6-cut", "w5-down", "2"]
        assert lines[-1].startswith("2 runs would be deleted (")
        assert len(ids(recfw)) == 6

    def test_tagged_runs_are_spared(self, recfw: Recfw, stored: Path) -> None:
        """A tag keeps a run, unless --tagged is said."""
        recfw("runs", "tag", "w6", "paper")
        assert "Spared w6-cut, tagged paper." in recfw("runs", "prune", "--keep", "4", "--yes").out
        assert ids(recfw) == ["w6", "w4", "w3", "w2", "w1"]
        recfw("runs", "prune", "--keep", "4", "--tagged", "--yes")
        assert ids(recfw) == ["w4", "w3", "w2", "w1"]

    def test_run_in_progress_is_spared(self, recfw: Recfw, stored: Path) -> None:
        """A run that a process carries out is left alone, and the others go."""
        with Store.open(stored) as store, store.journal("w6-cut").lock():
            done = recfw("runs", "prune", "--keep", "4", "--yes")
        assert "Spared w6-cut, which is being carried out." in done.out
        assert ids(recfw) == ["w6", "w4", "w3", "w2", "w1"]

    @pytest.mark.parametrize("words", [[], ["--track", "x"], ["--older-than", "3x"], ["--keep", "-1"], ["--keep", "1"]])
    def test_refused(self, recfw: Recfw, stored: Path, words: list[str]) -> None:
        """Without a rule, with one that is none, or where nobody can be asked, nothing is deleted."""
        assert recfw("runs", "prune", *words).status == ExitCode.USAGE
        assert len(ids(recfw)) == 6
