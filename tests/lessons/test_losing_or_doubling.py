"""Losing or doubling work: what is finished stays, is counted once, and is found again at once."""

import signal
import tracemalloc
from pathlib import Path

from fakes.bench import wait_until
from fakes.pain import Pain

from recfw.model.run import Cell, ComponentSpec, RunSpec, Status, Trial, TrialKey
from recfw.model.trace import EndEvent
from recfw.serialize import event_line, pack_trace, trace_lines
from recfw.store.repository import Store

SLOW = ("--agent", "fake-slow", "--set", "agent.seconds=0.05", "--trials", "12", "--concurrency", "2")


def killed_at(pain: Pain, trials: int) -> int:
    """Start a slow run, kill it with -9 once so many trials are stored; return how many are."""
    process = pain.start("run", "--track", "fake-dialogue", *SLOW)
    wait_until(lambda: pain.stored() >= trials, 60, f"{trials} trials")
    process.kill()
    process.wait()
    return pain.stored()


def test_i4933_a_retry_killed_early_does_not_shadow_the_fuller_run(pain: Pain) -> None:
    """A resume that is killed before it plays anything leaves the run as full as it was, for every command."""
    kept = killed_at(pain, 8)
    retry = pain.start("run", "--resume", "latest", "--concurrency", "1")
    wait_until(lambda: "Run " in pain.printed("err") or retry.poll() is not None, 60, "the retry")
    retry.kill()
    retry.wait()
    (run,) = pain.ask("SELECT id FROM run")
    assert pain.figures(run[0])["counts"]["completed"] == pain.stored()
    assert kept <= pain.stored() < 96
    assert f"{pain.stored()}/96" in pain.typed("runs", "list").out


def test_i913_a_run_that_the_kernel_killed_is_resumed_though_it_says_that_it_runs(pain: Pain) -> None:
    """A run whose process vanished, as when memory is out, still says that it runs; a resume goes on with it."""
    process = pain.start("run", "--track", "fake-dialogue", "--agent", "fake-killer", "--set", "agent.times=1",
                         "--concurrency", "1", "--workers", "0")  # fmt: skip
    assert process.wait(60) == -signal.SIGKILL
    assert pain.ask("SELECT status FROM run") == [("running",)]
    done = pain.typed("run", "--resume", "latest")
    assert (done.status, pain.stored()) == (0, 8)
    assert pain.endings("d1") == {("interrupted", "interrupted"): 1, ("completed", "chosen"): 1}


def test_i4859_ctrl_c_is_no_success_and_names_the_way_on(pain: Pain) -> None:
    """SIGINT ends a run with status 130, the figures of what is stored, and the command that goes on."""
    process = pain.start("run", "--track", "fake-dialogue", *SLOW)
    wait_until(lambda: pain.stored() >= 4, 60, "four trials")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert "success" in pain.printed("out")
    assert f"Interrupted: {pain.stored()} of 96 trials are stored. Go on with:\n" in pain.printed("err")
    assert " run --resume " in pain.printed("err")


def test_i3750_a_cancelled_run_has_its_aggregates(pain: Pain) -> None:
    """The figures of a run that was broken off are those of its completed trials, with the rest counted as missing."""
    kept = killed_at(pain, 8)
    counts = pain.figures()["counts"]
    assert (counts["planned"], counts["completed"], counts["missing"]) == (96, kept, 96 - kept)
    assert pain.figures()["figures"]["success"]["value"] == 1.0


def test_i2873_i1375_i2249_no_trace_is_read_to_list_report_or_resume(pain: Pain) -> None:
    """With every stored trace destroyed, runs are listed, shown, reported and resumed as before."""
    pain.run("fake-asker", "--trials", "2")
    before = pain.report("latest")
    pain.change("UPDATE trace SET data = x'00'")
    pain.change("DELETE FROM score WHERE trial_id IN (SELECT id FROM trial WHERE task_id = 'd7')")
    pain.change("DELETE FROM trace WHERE trial_id IN (SELECT id FROM trial WHERE task_id = 'd7')")
    pain.change("DELETE FROM trial WHERE task_id = 'd7'")
    assert "14/16" in pain.typed("runs", "list").out
    assert "14 of 16 completed" in pain.typed("runs", "show").out
    assert pain.typed("run", "--resume", "latest").status == 0
    assert pain.report("latest") == before


def test_i4583_a_trial_of_337000_events_is_read_without_being_held() -> None:
    """A trace of 34 MB is read line by line in less than 8 MB."""
    line = event_line(EndEvent("done", {"words": "w" * 40}))
    packed = pack_trace([line] * 337_000)
    tracemalloc.start()
    try:
        read = sum(1 for _ in trace_lines(packed))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (read, len(line) * read > 34_000_000, peak < 8_000_000) == (337_000, True, True)


def _written() -> int:
    return int(Path("/proc/self/io").read_text().split("wchar: ")[1].split()[0])


def test_t_whole_file_checkpoint_the_cost_of_a_trial_is_flat(tmp_path: Path) -> None:
    """What is written to store a trial does not grow with the trials that are stored already."""
    spec = RunSpec("fake", "fake", (Cell("a", {"agent": ComponentSpec("x")}),), trials=1)
    trace = pack_trace([event_line(EndEvent("done", {"words": "w" * 500}))])
    written: list[int] = []
    with Store.open(tmp_path / "runs.db") as store:
        run = store.create_run("r", spec, "c", {}, 1000).id
        for number in range(1000):
            before = _written()
            key = TrialKey("a", f"t{number}", 0)
            store.add_trial(run, Trial(key, 1, number, Status.COMPLETED, "done", events=1, trace=trace))
            written.append(_written() - before)
    first, last = sorted(written[50:150])[50], sorted(written[-100:])[50]
    assert last < 1.5 * first


def test_i5296_another_way_to_analyse_replays_nothing(pain: Pain) -> None:
    """A finished run that is reported with other settings, or resumed, is not played again."""
    pain.run("pain-none")
    assert pain.typed("report", "--split-by", "color", "--set", "analysis.k=2").status == 0
    assert pain.typed("run", "--resume", "latest").out.endswith("all 8 trials are stored. Nothing to do.\n")
    assert [pain.noted(f"begun-d{n}") for n in range(8)] == [1] * 8


def test_i3014_i2704_another_limit_is_another_run(pain: Pain) -> None:
    """What changes the trials themselves is part of what a run is: a resume with another limit is refused by name."""
    pain.run("fake-asker", "--tasks", "d0")
    refused = pain.typed("run", "--resume", "latest", "--set", "limits.turns.agent=2")
    assert refused.status == 2
    assert "asked for limits.turns.agent: 6 -> 2" in refused.err


def test_e2141_resuming_what_is_finished_says_so(pain: Pain) -> None:
    """A resume of a run that is 100 % done is no crash, plays nothing, and exits with 0."""
    pain.run("pain-none", "--tasks", "d0")
    again = pain.typed("run", "--resume", "latest")
    assert (again.status, pain.noted("begun-d0"), pain.stored()) == (0, 1, 1)


def test_a_run_killed_after_its_last_trial_ends_as_completed(pain: Pain) -> None:
    """Killed between its last trial and its last word, a run says that it is completed once it is resumed."""
    pain.run("fake-asker", "--tasks", "d0")
    pain.change("UPDATE run SET status = 'running'")
    assert pain.typed("run", "--resume", "latest").status == 0
    assert pain.ask("SELECT status FROM run") == [("completed",)]


def test_durable_log_every_event_survives_the_process(pain: Pain) -> None:
    """What was said before the process died in the midst of a reply is readable afterwards."""
    process = pain.start("run", "--track", "fake-dialogue", "--agent", "fake-killer", "--set", "agent.times=1",
                         "--tasks", "d1", "--workers", "0")  # fmt: skip
    assert process.wait(60) == -signal.SIGKILL
    (left,) = (pain.folder / "journal").rglob("*.jsonl")
    assert b"I want a thing." in left.read_bytes()
    pain.typed("run", "--resume", "latest")
    shown = pain.typed("trace", "latest", "d1", "--attempt", "1").out
    assert "I want a thing." in shown
    assert list((pain.folder / "journal").iterdir()) == []
