"""The errors by rule, each on a rollout made for it."""

from typing import Any

import pytest

from recfw_orchestration.metrics.component import OrchestrationConduct
from recfw_orchestration.tasks.records import Allowed, Edge
from recfw_orchestration.taxonomy import ERRORS, NONE

IDS = ["C01", "C07"]


@pytest.fixture
def chain(made: Any) -> Any:
    """History, then what is similar to its first item, then a filter."""
    return made.task(
        "L4",
        made.gold("c1", "history", user_id="U1"),
        made.gold("c2", "similar", Edge("c1", "item_id", "item_id"), item_id="H1"),
        made.gold("c3", "filter", Edge("c2", "item_id", "item_ids"), item_ids=Allowed((IDS,), "set")),
        rounds=3,
    )


@pytest.fixture
def rounds(made: Any) -> list[list[Any]]:
    """The chain as gold plays it."""
    return [
        [made.sent("history", {"user_id": "U1"}, made.items("H1"))],
        [made.sent("similar", {"item_id": "H1"}, made.items(*IDS))],
        [made.sent("filter", {"item_ids": IDS}, made.items("C07"))],
    ]


def held(task: Any, trace: Any) -> set[str]:
    """Return the errors that hold."""
    figures = OrchestrationConduct().score(task, trace)
    return {name for name in (*ERRORS, NONE) if figures[name] == 1.0}


def test_a_clean_rollout_has_no_clear_failure(made: Any, chain: Any, rounds: Any) -> None:
    """Which excludes the others."""
    assert held(chain, made.trace(*rounds)) == {"no_clear_failure"}


def test_a_wrong_answer_from_sound_steps_has_no_clear_failure(made: Any, chain: Any, rounds: Any) -> None:
    """The target was among the results; why another was ranked first is outside the taxonomy, as in the paper."""
    assert held(chain, made.trace(*rounds, ranking=["C01"])) == {"no_clear_failure"}


def test_a_guessed_input_is_a_dependency_failure(made: Any, chain: Any, rounds: Any) -> None:
    """The item came from nowhere."""
    rounds[1] = [made.sent("similar", {"item_id": "H5"}, made.items(*IDS))]
    assert held(chain, made.trace(*rounds)) == {"dependency_failure"}


def test_a_target_that_no_result_named_is_a_retrieval_miss(made: Any, chain: Any, rounds: Any) -> None:
    """Unless it was ranked first all the same, or nothing at all was retrieved."""
    rounds[1] = [made.sent("similar", {"item_id": "H1"}, made.items("C01", "C02"))]
    rounds[2] = [made.sent("filter", {"item_ids": ["C01"]}, made.items("C01"))]
    assert held(chain, made.trace(*rounds, ranking=["C01"])) == {"retrieval_miss"}
    assert held(chain, made.trace(*rounds)) == {"no_clear_failure"}
    failed = [[made.sent(tool, {}, "no", error=True, new=0)] for tool in ("history", "similar", "filter")]
    assert "retrieval_miss" not in held(chain, made.trace(*failed, ranking=["C01"]))


def test_ranking_before_goals_tools_were_called_is_a_premature_end(made: Any, chain: Any, rounds: Any) -> None:
    """And a dependency failure, since an edge is left; a limit that ends a rollout makes it no premature one."""
    assert held(chain, made.trace(*rounds[:2])) == {"dependency_failure", "premature_end"}
    stopped = made.trace(*rounds[:2], ranking=None, stop="round_limit")
    assert held(chain, stopped) == {"dependency_failure"}
    assert held(chain, made.trace()) == {"dependency_failure", "premature_end"}


def test_fewer_calls_to_all_of_golds_tools_are_no_premature_end(made: Any) -> None:
    """Gold calls one tool twice; once was enough for its name to have been called."""
    twice = made.task("L2", made.gold("c1", "rank", user_id="U1"), made.gold("c2", "rank", user_id="U2"))
    assert held(twice, made.trace([made.sent("rank", {"user_id": "U1"})])) == {"no_clear_failure"}


def test_more_useless_calls_than_gold_makes_are_unproductive_exploration(made: Any, chain: Any, rounds: Any) -> None:
    """Repeated, failed, empty, or to another tool without a new item: four of them, where gold makes three calls."""
    more = [
        made.sent("history", {"user_id": "U1"}, made.items("H1"), new=0),
        made.sent("similar", {"item_id": "H7"}, "no such item", error=True, new=0),
        made.sent("similar", {"item_id": "H2"}, made.items(), new=0),
        made.sent("web", {"query": "x"}, made.items("C01"), new=0),
    ]
    assert held(chain, made.trace(*rounds, more)) == {"unproductive_exploration"}
    assert held(chain, made.trace(*rounds, more[:3])) == {"no_clear_failure"}
    fresh = made.sent("web", {"query": "x"}, made.items("X1"), new=1)
    assert held(chain, made.trace(*rounds, [*more[:3], fresh])) == {"no_clear_failure"}
