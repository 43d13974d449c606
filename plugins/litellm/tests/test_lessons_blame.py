"""Blaming the wrong one: what a provider did is never the agent's, and what the agent did is."""

from collections import Counter

import pytest
from faults_runs import faults_of

from recfw.testing.provider import WAYS


def ends(runs):
    """Return how many newest attempts ended how."""
    newest = {one.task: one for one in runs.attempts()}
    return Counter((one.status, one.stop) for one in newest.values())


def test_swe_bench_pro78_429_for_ever_is_no_failure_of_the_agent(model, runs):
    """After its retries each trial failed as rate_limit: no score, exit status 6, and the next step."""
    model.faulty(1.0, ("http_429",))
    ended = runs.type(*runs.words(4, "retries=1", "max_wait=0.02", more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 4)
    assert {("failed", "rate_limit"): 4} == ends(runs)
    assert (
        "4 trials failed (4 rate_limit), kept apart and never scored as the agent's. Run them again with:" in ended.said
    )


def test_i5138_sustained_429_of_a_provider_that_is_only_slow_loses_nothing(model, runs):
    """A provider that takes forty requests a second: sixty trials at once, two retries, and every one completes."""
    model.stub.change(requests_per_second=60.0)
    ended = runs.type(*runs.words(30, "retries=2", "max_wait=0.1", more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 30)
    assert (0, 30) == (ended.status, ended.told["completed"])
    assert 0 < model.stub.stats.statuses["429"]


def test_t493_what_failed_stays_in_the_counts(model, runs):
    """Where two trials in three fail, the report says so beside a figure over the rest."""
    model.faulty(0.6, ("http_500",), after=8)
    ended = runs.type(*runs.words(12, "retries=0", more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 12)
    done, failed = ended.told["completed"], ended.told["failed"]
    assert (12, 6) == (done + failed, ended.status)
    assert failed > 0
    report = runs.type("report", "--format", "json").told["figures"]["runs"][0]["cells"]["endpoint"]["counts"]
    assert [12, done, failed] == [report[name] for name in ("planned", "completed", "failed")]


@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way].kind == "context"])
def test_t360_a_context_overflow_is_an_ending_and_not_retried(model, runs, way):
    """In OpenAI's words or llama.cpp's: the trial is complete, its request was sent once, nothing failed."""
    model.faulty(1.0, (way,))
    ended = runs.type(*runs.words(4, more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 4)
    assert ({("completed", "context_overflow"): 4}, 0, 4) == (ends(runs), ended.status, model.stub.stats.requests)


def test_benchflow1059_a_resume_runs_what_failed_again_and_nothing_else(model, runs):
    """With the fault lifted the failed trials complete; those that were complete are not touched."""
    model.faulty(0.5, ("http_503",))
    runs.type(*runs.words(12, "retries=0", more=("--no-preflight",)))
    before = runs.completed()
    model.faulty()
    again = runs.resume()
    assert [] == faults_of(runs, again, 12)
    assert (0, 12) == (again.status, len(runs.completed()))
    assert 0 < len(before) < 12 or not before
    assert before.items() <= runs.completed().items()


@pytest.mark.parametrize("way", ["http_500", "context_length_llama", "null_content"])
def test_t392_a_simulator_that_breaks_is_not_the_agents_failure(model, runs, way):
    """Where the model is the user, whatever goes wrong with it is infrastructure: no score, and the user is named."""
    model.faulty(1.0, (way,))
    ended = runs.type(*runs.words(3, "retries=0", role="user", more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 3)
    assert (6, ["failed"] * 6) == (ended.status, [one.status for one in runs.attempts()])


def test_a_filter_that_the_agents_words_set_off_is_its_reply(model, runs):
    """400 with content_filter is neither infrastructure nor retried: the words stand in the trace, and play goes on."""
    model.faulty(1.0, ("content_filter_400",), attempts=1)
    ended = runs.type(*runs.words(2, more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 2)
    assert (0, ["completed"] * 2) == (ended.status, [one.status for one in runs.attempts()])
    assert any("content_filter" in str(event) for event in runs.events("d0"))


def test_m16_a_dead_judge_stops_before_the_first_trial(model, runs):
    """No run of zeros: the check of the judge fails in words, and nothing was played."""
    model.faulty(1.0, ("invalid_key",))
    ended = runs.type(*runs.words(3, role="judge"))
    assert (6, []) == (ended.status, runs.attempts())
    assert "Error: judge 'endpoint': The key is refused" in ended.said


def test_m16_a_judge_that_dies_in_the_middle_gives_no_zeros(model, runs):
    """The run stops; the trials are kept, and no score of the judge's is 0."""
    model.faulty(1.0, ("invalid_key",), after=4)
    ended = runs.type(*runs.words(6, "evaluations=1", role="judge", more=("--no-preflight",)))
    judged = runs.ask("SELECT value FROM score WHERE scorer LIKE 'endpoint%'")
    assert 6 == ended.status
    assert "The key is refused" in ended.said
    assert (0.0,) not in judged
