"""Blaming the wrong one: whose fault it was decides whether it is scored, retried or counted apart."""

from errno import ENOSPC
from pathlib import Path

import pytest
from fakes.pain import Pain

from recfw.store.faults import disk_fault
from recfw.store.journal import JournalRecorder


def test_swe_bench_pro78_a_rate_limit_is_no_failure_of_the_agent(pain: Pain) -> None:
    """A provider that says 429 leaves a trial without a score, and a run that says so with its exit status."""
    done = pain.run("pain-rate-limited")
    assert done.status == 6
    assert pain.endings("d1") == {("failed", "infrastructure"): 2}
    assert pain.ask("SELECT count(*) FROM score s JOIN trial t ON t.id = s.trial_id WHERE task_id = 'd1'") == [(0,)]
    assert pain.figures()["figures"]["success"]["value"] == 1.0


def test_t493_what_failed_stays_in_the_counts_beside_the_figure(pain: Pain) -> None:
    """One success and one failure of infrastructure read as two attempted, one scored, one failed; never as 100 %."""
    done = pain.run("pain-rate-limited", "--tasks", "d0", "--tasks", "d1")
    counts = pain.figures()["counts"]
    assert (counts["attempted"], counts["completed"], counts["failed"]) == (2, 1, 1)
    assert ["pain-rate-limited", "2", "2", "1", "1", "1", "0"] in [line.split() for line in done.out.splitlines()]
    assert "1 trial failed (1 infrastructure), kept apart and never scored as the agent's." in done.err


def test_t360_a_context_overflow_is_an_ending_and_not_retried(pain: Pain) -> None:
    """It is the agent's own: played once, scored as it stands, under a name of its own."""
    done = pain.run("pain-overflowing")
    assert (done.status, pain.noted("begun-d1")) == (0, 1)
    assert pain.endings("d1") == {("completed", "context_overflow"): 1}
    assert pain.figures()["figures"]["success"]["value"] == 7 / 8


def test_benchflow1059_a_resume_runs_what_has_no_score_again(
    pain: Pain, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Once the provider is back, a resume plays the failed trial; the figures are those of a run without trouble."""
    mended = tmp_path / "mended"
    monkeypatch.setenv("PAIN_MENDED", str(mended))
    assert pain.run("pain-mended").status == 6
    mended.touch()
    assert pain.typed("run", "--resume", "latest").status == 0
    assert pain.endings("d1") == {("failed", "infrastructure"): 2, ("completed", "chosen"): 1}
    resumed = pain.figures()
    pain.run("pain-mended")
    assert resumed == pain.figures()


def test_t392_a_simulator_that_breaks_is_not_the_agents_failure(pain: Pain) -> None:
    """A user that raises makes failed trials that are kept apart, none of them scored."""
    done = pain.run("fake-asker", "--user", "fake-lost", "--tasks", "d0")
    assert (done.status, pain.ask("SELECT count(*) FROM score")) == (6, [(0,)])
    assert pain.endings() == {("failed", "infrastructure"): 2}
    assert "user: ZeroDivisionError: lost" in pain.ask("SELECT error FROM trial")[0][0]


def test_t345_the_simulator_is_part_of_what_a_run_is(pain: Pain) -> None:
    """Another user simulator is another specification, is shown with the run, and cannot finish a run in its place."""
    for user in ("fake-speaker", "other-speaker"):
        pain.run("fake-asker", "--user", user, "--tasks", "d0")
        assert f"user {user}" in pain.typed("runs", "show").out
    assert pain.ask("SELECT count(DISTINCT spec_digest) FROM run") == [(2,)]
    refused = pain.typed("run", "--resume", "latest", "--user", "fake-speaker")
    assert refused.status == 2
    assert "user" in refused.err


def test_a_disk_that_fills_up_while_an_agent_looks_is_not_its_failure(
    pain: Pain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a picture cannot be kept, the run stops with the store's error; the agent that looked has no ending."""

    def refuse(self: JournalRecorder, data: bytes, media_type: str) -> str:
        raise disk_fault(OSError(ENOSPC, "No space left on device"), self._folder)

    with monkeypatch.context() as patch:
        patch.setattr(JournalRecorder, "attach", refuse)
        done = pain.run("fake-guide", track="fake-pictures")
    assert done.status == 5
    assert "the disk is full. Free some space." in done.err
    assert ("completed", "agent_error") not in pain.endings()
    assert pain.typed("run", "--resume", "latest").status == 0
    assert {status for status, _ in pain.endings()} == {"completed", "interrupted"}
