"""Numbers: what a figure is, over how many, and by whom, stands beside it; what is not known is never 0."""

from fakes.pain import Pain


def test_t497_the_estimator_and_the_rule_for_missing_trials_stand_with_the_figure(pain: Pain) -> None:
    """pass^k is printed with its formula, and with what becomes of trials that failed, in the text and in the JSON."""
    done = pain.run("pain-rate-limited", "--trials", "2")
    assert "C(c, k) / C(n, k)" in " ".join(done.out.split())
    figures = pain.report("latest")
    assert "C(c, k) / C(n, k)" in figures["estimator"]
    assert "has no score" in figures["counting"]


def test_evaluator1094_a_verdict_that_cannot_be_read_is_not_0(pain: Pain) -> None:
    """The trial has no grade; the mean is over the seven that have one, and says so; the fault is told."""
    done = pain.run("fake-asker", "--judge", "pain-unparseable")
    found = pain.figures()["figures"]["grade"]
    assert (found["value"], found["n_trials"]) == (1.0, 7)
    assert "the verdict is 'Sure! I would say 7'" in done.err
    assert pain.ask("SELECT count(*) FROM score WHERE metric = 'grade' AND value = 0") == [(0,)]


def test_m16_a_dead_judge_gives_no_run_of_zeros(pain: Pain) -> None:
    """Every figure of a judge that cannot be reached is unknown, and each report says so."""
    done = pain.run("fake-asker", "--judge", "pain-dead-judge")
    assert pain.ask("SELECT DISTINCT value FROM score WHERE scorer LIKE 'pain-dead%'") == [(None,)]
    found = pain.figures()["figures"]["pain-dead-judge"]
    assert (found["value"], found["n_trials"]) == (None, 0)
    assert "nobody listens" in done.err


def test_m17_over_how_many_trials_a_figure_is_stands_beside_it(pain: Pain) -> None:
    """A figure that some trials lack is printed above the number of those that have it."""
    rows = [line.split() for line in pain.run("fake-asker", "--judge", "pain-unparseable").out.splitlines()]
    assert ["(trials)", "7"] == rows[next(place for place, row in enumerate(rows) if row[:1] == ["grade"]) + 1]


def test_livemcpbench11_m12_who_judged_is_part_of_the_score(pain: Pain) -> None:
    """Every score names the judge that gave it, by identity, and judges are part of what a run is."""
    pain.run("fake-asker", "--tasks", "d0", "--judge", "metered-judge", "--judge", "fake-brevity")
    scorers = {scorer for (scorer,) in pain.ask("SELECT DISTINCT scorer FROM score")}
    assert {"metered-judge@1", "fake-brevity@1", "fake-met@1"} <= scorers
    refused = pain.typed("run", "--resume", "latest", "--judge", "fake-brevity")
    assert refused.status == 2
    assert "judges" in refused.err


def test_mcpmark245_other_content_is_another_run(pain: Pain) -> None:
    """What a run is asked of has a digest of its own, which other content changes."""
    pain.run("fake-asker", "--tasks", "d0")
    pain.run("fake-asker", "--tasks", "d0", "--set", "track.size=4")
    assert pain.ask("SELECT count(DISTINCT content_digest) FROM run") == [(2,)]
