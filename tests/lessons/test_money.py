"""Money: every role and every judge is metered, and what a provider said of its usage is kept as it came."""

import json

from fakes.pain import Pain


def test_t556_what_judges_cost_is_told_apart_and_added(pain: Pain) -> None:
    """The report has the judges' tokens and cost beside those of the roles."""
    pain.run(
        "metered", "--tasks", "d0", "--tasks", "d1", "--judge", "metered-judge", "--set", "metered-judge.price=0.5"
    )
    told = json.loads(pain.typed("report", "--format", "json").out)["operational"]
    (cell,) = told["runs"][0]["cells"].values()
    assert cell["usage"]["judge"]["cost"] == 1.0
    assert cell["usage"]["agent"]["cost"] > 0


def test_l11364_l31714_cached_tokens_are_counted_apart(pain: Pain) -> None:
    """The trace keeps cached and reasoning tokens and the provider's own words, so that any price fits them."""
    pain.run("metered", "--tasks", "d0")
    usages = [e["reply"]["usage"] for e in pain.events("d0") if e["kind"] == "reply" and e["role"] == "agent"]
    assert [(used["cached_tokens"], used["reasoning_tokens"], used["raw"]) for used in usages] == [(4, 2, {})] * 4
    told = json.loads(pain.typed("report", "--format", "json").out)["operational"]
    (cell,) = told["runs"][0]["cells"].values()
    assert (cell["usage"]["agent"]["cached_tokens"], cell["usage"]["agent"]["input_tokens"]) == (16, 40)
