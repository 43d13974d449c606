"""Money: every role is metered, cached tokens are paid at their price, and what is not known is not 0."""

import pytest
from faults_runs import faults_of

PRICES = ("input_price=2", "output_price=10", "cached_price=0.5")
BY_TOKEN = (2e-6, 10e-6, 0.5e-6)


def usages(runs, task, role="agent"):
    """Return what the replies of a role consumed."""
    return [
        event["reply"]["usage"] for event in runs.events(task) if event["kind"] == "reply" and event["role"] == role
    ]


def paid(usage):
    """Return what a usage costs by those prices."""
    read, written, cached = BY_TOKEN
    fresh = usage["input_tokens"] - usage["cached_tokens"]
    return fresh * read + usage["output_tokens"] * written + usage["cached_tokens"] * cached


def test_l11364_l31714_cached_tokens_are_paid_at_their_own_price(model, runs):
    """Reply by reply: tokens from the provider's cache at their price, and the run's cost is the sum."""
    ended = runs.type(*runs.words(3, *PRICES))
    found = [usage for task in ("d0", "d1", "d2") for usage in usages(runs, task)]
    assert any(usage["cached_tokens"] for usage in found)
    assert [pytest.approx(paid(usage)) for usage in found] == [usage["cost"] for usage in found]
    assert pytest.approx(sum(map(paid, found)), abs=1e-6) == ended.told["cost"]


def test_usage_is_stored_as_the_provider_told_it(model, runs):
    """Prices change and harnesses err: the raw numbers stand in the trace, with how often was asked."""
    model.faulty(1.0, ("http_500",), attempts=1)
    runs.type(*runs.words(1, more=("--no-preflight",)))
    first = usages(runs, "d0")[0]
    assert {"prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details"} <= first["raw"].keys()
    assert (2, False) == (first["raw"]["attempts"], first["raw"]["cached"])


def test_a_provider_that_tells_no_usage_was_not_free(model, runs):
    """Neither 0 tokens at 0 USD: the cost is not known, and the trace says that usage is missing."""
    model.faulty(1.0, ("usage_null",))
    runs.type(*runs.words(1, *PRICES))
    first = usages(runs, "d0")[0]
    assert (None, "missing") == (first.get("cost"), first["raw"]["usage"])


def test_t556_a_judge_is_paid_for_in_the_run_that_asks_it(model, runs):
    """What the judge's evaluations cost stands beside the agent's, each by its own tokens."""
    agent = ("--agent", "endpoint", "--set", "agent.model=stub", "--set", f"agent.api_base={runs.url}")
    prices = [word for price in PRICES for word in ("--set", f"agent.{price}")]
    ended = runs.type(*runs.words(2, *PRICES, role="judge", more=(*agent, *prices)))
    assert [] == faults_of(runs, ended, 2)
    spent = runs.type("report", "--format", "json").told["operational"]["runs"][0]["spending"]
    played = [usage for task in ("d0", "d1") for usage in usages(runs, task)]
    assert (6, 8) == (spent["judge"]["replies"], len(played))
    assert pytest.approx(paid(spent["judge"])) == spent["judge"]["cost"]
    assert pytest.approx(sum(map(paid, played))) == spent["agent"]["cost"]


def test_the_price_table_is_named_in_the_run(model, runs, library):
    """A cost by litellm's table says which release's table it was, in every trace and among the run's versions."""
    runs.component = "litellm"
    ended = runs.type(*runs.words(1, "model=openai/gpt-4o-mini"))
    from recfw_litellm.transports.litellm import PINNED

    assert f"litellm {PINNED}" == usages(runs, "d0")[0]["raw"]["prices"]
    assert ended.told["cost"] > 0
    assert PINNED in runs.ask("SELECT versions FROM run")[0][0]


def test_kept_answers_cost_nothing_and_change_no_figure(model, runs):
    """The same run again from its kept answers, without a network: the same figures and tokens, at no cost."""
    kept = ("--cache", str(runs.folder / "answers"))
    first = runs.type(*runs.words(4, *PRICES, more=kept))
    sent = model.stub.stats.requests
    again = type(runs)(runs.folder / "again", runs.url)
    second = again.type(*again.words(4, *PRICES, more=(*kept, "--cache-only")))
    assert sent == model.stub.stats.requests
    assert (0, 0, 0) == (first.status, second.status, second.told["cost"])
    assert first.told["cost"] > 0
    assert runs.completed() == again.completed()
    assert first.told["tokens"] == second.told["tokens"]


def test_without_a_kept_answer_nothing_is_sent_and_the_run_says_so(model, runs):
    """--cache-only with an empty folder: exit status 6, the folder's name, no request."""
    folder = runs.folder / "answers"
    folder.mkdir()
    ended = runs.type(*runs.words(2, more=("--cache", str(folder), "--cache-only")))
    assert (6, 0) == (ended.status, model.stub.stats.requests)
    assert str(folder) in ended.said
    assert "--cache-only" in ended.said


def test_a_trial_that_is_played_again_pays_only_for_what_had_no_answer(model, runs):
    """By the second attempts and the resume, no request is answered more than once."""
    more = ("--cache", str(runs.folder / "answers"), "--no-preflight")
    model.faulty(0.4, ("http_500",))
    ended = runs.type(*runs.words(12, "retries=0", more=more))
    model.faulty()
    again = runs.resume(*more)
    assert (6, 0) == (ended.status, again.status)
    assert len(model.bodies) == model.stub.stats.statuses["200"]
