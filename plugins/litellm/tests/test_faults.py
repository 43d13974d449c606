"""Whole runs against a provider that goes wrong: benchmarks/bench_faults.py in small, and runs that are killed."""

import pytest
from bench_faults import Campaign, Kills, outages

from recfw.testing.provider import WAYS


@pytest.fixture
def campaign(model, tmp_path):
    """Runs straight to the endpoint."""
    return Campaign(tmp_path, model, "endpoint")


def test_five_percent_of_all_ways_change_nothing_that_they_do_not_meet(campaign):
    """Every trial is accounted for, and the figures of those that no fault met are those of a run without faults."""
    words, found = campaign.all(trials=60, rate=0.05)
    assert [] == found
    assert "60 trials completed" in words


DEFAULT = ("http_429_seconds", "http_500", "drop_in_body", "invalid_json", "invalid_key", "bad_request")
OTHERS = [name for name in WAYS if name not in DEFAULT]


@pytest.mark.parametrize("way", [*DEFAULT, *(pytest.param(way, marks=pytest.mark.slow) for way in OTHERS)])
def test_one_way_at_a_time(campaign, way):
    """Half of the requests fail in one way: failures apart, the rest as without it, and a resume completes the run."""
    line = campaign.one(way, trials=4)
    assert [] == line.faults
    assert line.resumed in {"-", "4 of 4"}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_one_way_at_a_time_through_litellm(model, tmp_path, way, library):
    """The same, with litellm in between."""
    line = Campaign(tmp_path, model, "litellm").one(way, trials=4)
    assert [] == line.faults
    assert line.resumed in {"-", "4 of 4"}


def test_outages_stop_in_words_and_resume_completes(model, tmp_path):
    """Down from the start or in the middle, the key refused in the middle, 429 for ever."""
    found = {name: (words, faults) for name, words, faults in outages(tmp_path, model, trials=10)}
    assert {name: [] for name in found} == {name: faults for name, (_, faults) in found.items()}
    assert "No connection to model 'stub'" in found["down from the start"][0]
    assert "requests in a row failed" in found["down in the middle"][0]
    assert "The key is refused" in found["the key refused in the middle"][0]
    assert "trials failed" in found["429 for ever"][0]


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_killed_runs_pay_for_no_answer_twice(model, tmp_path, workers):
    """kill -9 at random moments, the answers kept: at most the requests in flight are sent again."""
    kills = Kills(tmp_path, model, seed=workers)
    kills.play(kills=3, trials=60, workers=workers)
    assert [] == kills.found
    assert kills.kills > 0
