"""``recfw judge`` and ``recfw agreement``: rating stored trials, and holding scores against people's."""

import json
import os
import sqlite3
from collections.abc import Callable

import pytest
from fakes.metered import notes

from recfw.testing.project import Typed

Recfw = Callable[..., Typed]


@pytest.fixture
def played(recfw: Recfw, tmp_path, monkeypatch) -> Recfw:
    """Give what types commands where eight trials are stored and a metered judge is at hand."""
    (tmp_path / "notes").mkdir()
    monkeypatch.setenv("RECFW_PLUGINS", "fakes.plugin,fakes.metered")
    monkeypatch.setenv("FAKES_NOTES", str(tmp_path / "notes"))
    assert 0 == recfw("run", "--track", "fake-dialogue").status
    return recfw


JUDGE = ("judge", "--judge", "metered-judge")


def _scores(metric: str) -> list[float | None]:
    with sqlite3.connect(os.environ["RECFW_STORE"]) as connection:
        return [row[0] for row in connection.execute("SELECT value FROM score WHERE metric = ?", (metric,))]


def test_stored_trials_are_judged_without_being_played(played: Recfw, tmp_path) -> None:
    """Every completed trial gets the judge's scores; no trial is added; what it cost is said."""
    done = played(*JUDGE)
    assert 0 == done.status
    assert "metered-judge@1: 8 trials judged, 0 were before." in done.out
    assert "kindness: mean 1.000 over 8 trials" in done.out
    assert "spent: 800 + 160 tokens, 0.0800 USD" in done.out
    assert "Checked judge 'metered-judge'" in done.err
    assert [1.0] * 8 == _scores("kindness")
    assert ["fake-dialogue"] * 2 == notes(tmp_path / "notes", "briefed")  # once to be checked, once to judge


def test_what_is_judged_is_not_paid_for_again(played: Recfw) -> None:
    """The same judge has nothing to do the second time."""
    played(*JUDGE)
    assert "All 8 trials are rated by metered-judge@1 already" in played(*JUDGE).out
    assert 8 == len(_scores("kindness"))


def test_judging_goes_on_after_an_outage(played: Recfw) -> None:
    """An outage stops in words; the same command, with the outage over, rates what is left."""
    broken = played(*JUDGE, "--concurrency", "1", "--set", "judge.outage=d3")
    assert 6 == broken.status
    assert "the judge's provider is down." in broken.err
    assert "the same command goes on" in broken.err
    before = len(_scores("kindness"))
    assert 0 < before < 8
    again = played(*JUDGE)
    assert f"{8 - before} trials judged, {before} were before." in again.out
    assert [1.0] * 8 == _scores("kindness")


def test_some_trials_are_judged_within_a_budget(played: Recfw) -> None:
    """Tasks can be chosen, and no further trial is begun when the budget is spent."""
    assert "1 trial judged" in played(*JUDGE, "--tasks", "d0").out
    stopped = played(*JUDGE, "--max-cost", "0.02", "--concurrency", "1")
    assert 1 == stopped.status
    assert "2 trials judged, 1 were before" in stopped.out
    assert "--max-cost" in stopped.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", "metered-juge"), "no judge 'metered-juge'"),
        (("--judge", "metered-judge", "--set", "agent.price=1"), "only options of the judge"),
        (("--judge", "metered-judge", "--set", "judge.prise=1"), "no option 'prise'"),
        (("--judge", "metered-judge", "--tasks", "nothing"), "no completed trial that fits"),
    ],
)
def test_wrong_words_are_refused(played: Recfw, words, said) -> None:
    """What is wrong is named, and nothing is judged."""
    done = played("judge", *words)
    assert 2 == done.status
    assert said in done.err


def test_scores_are_held_against_people(played: Recfw, tmp_path) -> None:
    """Two raters are averaged; counts, exact agreement, kappa, correlations and bias come out as by hand."""
    played(*JUDGE)
    file = tmp_path / "ratings.csv"
    file.write_text(
        "trial,rater,replies,kind\nfake-asker/d0/0,a,4,1\nfake-asker/d0/0,b,2,1\nfake-asker/d1/0,a,5,2\n"
        "fake-asker/none/0,a,1,1\nfake-asker/d2/0,a,,1\n"
    )
    done = played("agreement", "--ratings", str(file), "--column", "kind=kindness", "--format", "json")
    assert 0 == done.status
    (found,) = json.loads(done.out)["figures"]["agreement"]
    assert ("kindness (kind)", 3, 1) == (found["figure"], found["trials"], found["unmatched"])
    assert found["exact"] == pytest.approx(2 / 3)
    assert found["bias"] == pytest.approx(-1 / 3)
    assert (None, 0.0) == (found["pearson"], found["kappa"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "header must name"),
        ("task,kind\nx,1\n", "header must name"),
        ("trial,kind\nfake-asker/d0/0\n", "line 2: the row has another number of cells"),
        ("trial,kind\nd0,1\n", "line 2: a trial is cell/task/number, not 'd0'"),
        ("trial,kind\nfake-asker/d0/0,good\n", "'good' is no rating"),
        ("trial,kind\nfake-asker/d0/0,nan\n", "'nan' is no rating"),
        ("trial,kind\nfake-asker/d0/0,1\nfake-asker/d0/0,2\n", "rated twice"),
        ("trial,kind\nfake-asker/d0/0,1\n", "the run has no figure 'kind'"),
    ],
)
def test_ratings_that_are_none_are_refused(played: Recfw, tmp_path, text, said) -> None:
    """A file that is no table of ratings is refused with line and column."""
    file = tmp_path / "ratings.csv"
    file.write_text(text)
    done = played("agreement", "--ratings", str(file))
    assert 4 == done.status
    assert said in done.err
