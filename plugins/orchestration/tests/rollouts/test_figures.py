"""Every figure by rule on hand-made rollouts: a perfect one, and for each figure variants that must lower it."""

from typing import Any

import pytest

from recfw.model.reply import Reply, ToolCall
from recfw.model.task import Task
from recfw.model.trace import EndEvent, ReplyEvent, ToolEvent, Trace
from recfw.testing.contracts import MetricContract
from recfw_orchestration.metrics import ratios
from recfw_orchestration.metrics.component import BY_LEVEL, OrchestrationConduct, OrchestrationFigures
from recfw_orchestration.tasks.records import Allowed, Edge, Keep, Workflow

IDS = ["C01", "C02", "C07"]


def score(task: Task, trace: Trace) -> dict[str, Any]:
    """Return the figures of a rollout."""
    return dict(OrchestrationFigures().score(task, trace))


def l1(made: Any) -> Task:
    """Return a task of one search."""
    task: Task = made.task("L1", made.gold("c1", "search", query=Allowed(("light camera",), "text")))
    return task


def l2(made: Any) -> Task:
    """Return a task of three parallel calls."""
    calls = [
        made.gold("c1", "filter", item_ids=Allowed((IDS,), "set"), min_rating=Allowed((4.0,), "number", 0.25)),
        made.gold("c2", "sentiment", item_ids=Allowed((IDS,), "set"), aspect=Allowed(("battery life",), "text")),
        made.gold("c3", "rank", user_id="U1", item_ids=Allowed((IDS,), "set")),
    ]
    task: Task = made.task("L2", *calls)
    return task


def l2_round(made: Any) -> list[Any]:
    """Return what gold sends for it."""
    return [
        made.sent("filter", {"item_ids": IDS, "min_rating": 4.0}),
        made.sent("sentiment", {"item_ids": IDS, "aspect": "battery life"}),
        made.sent("rank", {"user_id": "U1", "item_ids": IDS}),
    ]


def l3(made: Any) -> Task:
    """Return a task of a chain of three calls."""
    calls = [
        made.gold("c1", "history", user_id="U1"),
        made.gold("c2", "similar", Edge("c1", "item_id", "item_id"), item_id="H1"),
        made.gold("c3", "filter", Edge("c2", "item_id", "item_ids"), item_ids=Allowed((IDS,), "set"), min_rating=4),
    ]
    task: Task = made.task("L3", *calls, rounds=3)
    return task


def l3_rounds(made: Any) -> list[list[Any]]:
    """Return what gold sends for it."""
    return [
        [made.sent("history", {"user_id": "U1"}, made.items("H1", "H2"))],
        [made.sent("similar", {"item_id": "H1"}, made.items("C01", "C02", "C07", "X9"))],
        [made.sent("filter", {"item_ids": IDS, "min_rating": 4}, made.items("C07"))],
    ]


def test_a_perfect_rollout_has_one_of_every_figure_of_its_level(made: Any) -> None:
    """What gold does, in gold's rounds, with the target first, is 1 throughout; other levels' figures are None."""
    for task, rounds in ((l2(made), [l2_round(made)]), (l3(made), l3_rounds(made))):
        figures = score(task, made.trace(*rounds))
        level = task.facets["level"]
        assert {name: figures[name] for name in BY_LEVEL[level]} == dict.fromkeys(BY_LEVEL[level], 1.0)
        assert {value for name, value in figures.items() if name not in (*BY_LEVEL[level], "success")} == {None}


def test_a_rollout_without_a_call_has_zero_of_every_figure(made: Any) -> None:
    """Even where the ranking happens to be right."""
    for task in (l1(made), l2(made), l3(made)):
        figures = score(task, made.trace())
        assert {figures[name] for name in (*BY_LEVEL[task.facets["level"]], "success")} == {0.0}
    assert score(l1(made), Trace((EndEvent("agent_time_limit"),)))["hit"] == 0.0


def test_an_unknown_tool_lowers_name_validity_alone_among_validity_and_schema(made: Any) -> None:
    """One of four calls names no tool: 3/4; compliance is over the three that do."""
    wrong = made.sent("fly", {}, "There is no tool 'fly'.", error=True, known=False, fits=False, new=0)
    figures = score(l2(made), made.trace([*l2_round(made), wrong]))
    assert (figures["tool_name_valid"], figures["schema_compliance"]) == (0.75, 1.0)
    assert figures["execution_success"] == 0.75


def test_arguments_off_the_schema_lower_compliance(made: Any) -> None:
    """Two of four valid-name calls do not fit; unknown names do not count."""
    bad = made.sent("filter", {"item_ids": "C01"}, "do not fit", error=True, fits=False, new=0)
    unknown = made.sent("fly", {}, "no", error=True, known=False, fits=False, new=0)
    figures = score(l2(made), made.trace([*l2_round(made)[:2], bad, bad, unknown]))
    assert figures["schema_compliance"] == 0.5


def test_empty_results_and_errors_are_no_success(made: Any) -> None:
    """Of four calls one is empty and one an error: 1/2."""
    empty = made.sent("rank", {"user_id": "U1", "item_ids": IDS}, made.items(), new=0)
    failed = made.sent("rank", {"user_id": "U9", "item_ids": IDS}, "no such user", error=True, new=0)
    figures = score(l2(made), made.trace([*l2_round(made)[:2], empty, failed]))
    assert figures["execution_success"] == 0.5


@pytest.mark.parametrize(("tools", "expected"), [(["search"], 1.0), (["search", "search"], 1.0), (["find"], 0.0),
                                                 (["search", "find"], 0.0)])  # fmt: skip
def test_selection_accuracy_wants_exactly_the_gold_tool(made: Any, tools: list[str], expected: float) -> None:
    """The set of called tools must be gold's; repetitions change no set."""
    rounds = [[made.sent(tool, {"query": "light camera"}) for tool in tools]]
    assert score(l1(made), made.trace(*rounds))["selection_accuracy"] == expected


def test_selection_f1_is_of_sets(made: Any) -> None:
    """Two of three gold tools and one other: 2 * 2 / (3 + 3); calling one twice changes nothing."""
    sent = [*l2_round(made)[:2], made.sent("web"), made.sent("web")]
    assert score(l2(made), made.trace(sent))["selection_f1"] == pytest.approx(4 / 6)


def test_parameter_accuracy_is_the_mean_over_gold_calls(made: Any) -> None:
    """One of two arguments of one of three gold calls is wrong: (1/2 + 1 + 1) / 3."""
    sent = l2_round(made)
    sent[0] = made.sent("filter", {"item_ids": IDS, "min_rating": 3.0})
    assert score(l2(made), made.trace(sent))["parameter_accuracy"] == pytest.approx(2.5 / 3)
    assert score(l2(made), made.trace(sent[:1]))["parameter_accuracy"] == pytest.approx(0.5 / 3)


def test_arguments_count_as_they_were_executed(made: Any) -> None:
    """A number sent as text was read leniently: it is right, and does not comply. A refused call's count as sent."""
    task = made.task("L2", made.gold("c1", "filter", min_rating=Allowed((4.0,), "number")))
    sent = ReplyEvent("agent", 1, Reply(calls=(ToolCall("filter", '{"min_rating": "4"}'),)))
    executed = ToolEvent(
        "agent", 1, 0, "filter", {"min_rating": 4.0}, made.items("C01"), notes={"coerced": ["min_rating"]}
    )
    figures = score(task, Trace((sent, executed)))
    assert (figures["parameter_accuracy"], figures["schema_compliance"]) == (1.0, 0.0)
    refused = ToolEvent("agent", 1, 0, "filter", None, "does not fit", error=True)
    assert score(task, Trace((sent, refused)))["parameter_accuracy"] == 0.0


def test_parallel_ratio_is_the_largest_round(made: Any) -> None:
    """Three gold calls in two rounds of two and one: 2/3; a third call to one tool issues no second gold call."""
    one, two, three = l2_round(made)
    assert score(l2(made), made.trace([one, two], [three]))["parallel_ratio"] == pytest.approx(2 / 3)
    assert score(l2(made), made.trace([one, one, one], [two], [three]))["parallel_ratio"] == pytest.approx(1 / 3)


def test_efficiency_is_coverage_times_economy(made: Any) -> None:
    """Two of three tools covered in four calls: 2/3 x 3/4; all covered in six: 1 x 3/6; one in one: 1/3 x 1."""
    one, two, three = l2_round(made)
    web = made.sent("web")
    assert score(l2(made), made.trace([one, two, web, web]))["efficiency"] == pytest.approx(0.5)
    assert score(l2(made), made.trace([one, two, three, web, web, web]))["efficiency"] == pytest.approx(0.5)
    assert score(l2(made), made.trace([one]))["efficiency"] == pytest.approx(1 / 3)


def test_efficiency_of_a_tool_that_gold_calls_twice_is_one(made: Any) -> None:
    """A tool that gold calls twice stands in E twice."""
    task = made.task("L2", made.gold("c1", "rank", user_id="U1"), made.gold("c2", "rank", user_id="U2"))
    both = [made.sent("rank", {"user_id": "U1"}), made.sent("rank", {"user_id": "U2"})]
    assert score(task, made.trace(both))["efficiency"] == 1.0
    assert score(task, made.trace(both[:1]))["efficiency"] == 0.5


def test_exact_repetitions_lower_sequential_efficiency(made: Any) -> None:
    """One of four calls repeats another's tool and arguments, in whatever order they were written: 3/4."""
    again = [made.sent("filter", {"min_rating": 4, "item_ids": IDS})]
    figures = score(l3(made), made.trace(*l3_rounds(made), again))
    assert figures["sequential_efficiency"] == 0.75
    other = [made.sent("filter", {"min_rating": 3, "item_ids": IDS})]
    assert score(l3(made), made.trace(*l3_rounds(made), other))["sequential_efficiency"] == 1.0


@pytest.mark.parametrize(("place", "expected"), [(0, (1, 1, 1)), (1, (0, 1, 1)), (3, (0, 0, 1)), (5, (0, 0, 0))])
def test_hits_are_by_the_targets_place(made: Any, place: int, expected: tuple[int, ...]) -> None:
    """First, among the first three, among the first five."""
    others = ["C01", "C02", "C03", "C04", "C05", "C06"]
    others.insert(place, made.target)
    figures = score(l3(made), made.trace(*l3_rounds(made), ranking=others))
    assert (figures["hit"], figures["hit_at_3"], figures["hit_at_5"]) == expected
    assert figures["success"] == figures["hit"]


def test_no_ranking_is_no_hit(made: Any) -> None:
    """A rollout that met a limit has the figures of its calls and no hit."""
    figures = score(l3(made), made.trace(*l3_rounds(made), ranking=None, stop="round_limit"))
    assert (figures["hit"], figures["parameter_accuracy"]) == (0.0, 1.0)


def test_an_edge_needs_a_later_round(made: Any) -> None:
    """History and similar in one round: the item can only have been guessed. One of two edges is left."""
    history, similar, rating = l3_rounds(made)
    assert score(l3(made), made.trace([*history, *similar], rating))["dependency_awareness"] == 0.5


def test_an_edge_needs_the_producers_value(made: Any) -> None:
    """An id that the history did not hold, and a list with one element from nowhere, meet no edge."""
    history, _, rating = l3_rounds(made)
    guessed = [made.sent("similar", {"item_id": "H9"}, made.items("C01", "C02", "C07"))]
    assert score(l3(made), made.trace(history, guessed, rating))["dependency_awareness"] == 0.5
    more = [made.sent("filter", {"item_ids": [*IDS, "C20"], "min_rating": 4}, made.items("C07"))]
    similar = l3_rounds(made)[1]
    assert score(l3(made), made.trace(history, similar, more))["dependency_awareness"] == 0.5


def test_an_edge_needs_a_successful_producer(made: Any) -> None:
    """A value that stands in an error's words was not returned."""
    history, similar, rating = l3_rounds(made)
    failed = [made.sent("history", {"user_id": "U1"}, "H1 is unknown", error=True, new=0)]
    assert score(l3(made), made.trace(failed, similar, rating))["dependency_awareness"] == 0.5
    assert score(l3(made), made.trace(failed, history, similar, rating))["dependency_awareness"] == 1.0


def test_a_list_may_come_from_several_producers(made: Any) -> None:
    """Of a union each element comes from one of the producers; each edge wants at least one of its own."""
    union = Allowed((["C01", "C07"],), "set")
    task = made.task(
        "L4",
        made.gold("c1", "search", query="x"),
        made.gold("c2", "recommend", user_id="U1"),
        made.gold("c3", "rank", Edge("c1", "item_id", "item_ids"), Edge("c2", "item_id", "item_ids"), item_ids=union),
        rounds=2,
    )
    first = [made.sent("search", {"query": "x"}, made.items("C01")), made.sent("recommend", {}, made.items("C07"))]
    both, one = ([made.sent("rank", {"item_ids": ids})] for ids in (["C01", "C07"], ["C01"]))
    assert score(task, made.trace(first, both))["dependency_awareness"] == 1.0
    assert score(task, made.trace(first, one))["dependency_awareness"] == 0.5


def test_going_on_with_the_others_means_naming_none_of_the_results(made: Any) -> None:
    """Of the candidates that a history does not hold: all but one of it, or any without having asked, meet no edge."""
    others = Allowed((["C02", "C03"],), "set")
    task = made.task(
        "L4",
        made.gold("c1", "history", user_id="U1"),
        made.gold("c2", "rank", Edge("c1", "items[].item_id", "item_ids"), item_ids=others),
        rounds=2,
        keep=[Keep("c1", "unlisted")],
    )
    asked = [made.sent("history", {"user_id": "U1"}, made.items("C01"))]
    right, wrong = ([made.sent("rank", {"item_ids": ids})] for ids in (["C02", "C03"], ["C01", "C02"]))
    failed = [made.sent("history", {"user_id": "U1"}, "no such user", error=True, new=0)]
    found = [
        score(task, made.trace(*rounds))["dependency_awareness"]
        for rounds in ((asked, right), (asked, wrong), (right,), (failed, right))
    ]
    assert found == [1.0, 0.0, 0.0, 0.0]


def test_what_is_to_be_left_out_gives_nothing(made: Any) -> None:
    """An id that only the history holds comes from no producer, and must not be sent on: neither edge is met."""
    listed, unlisted = (Edge(name, "items[].item_id", "item_ids") for name in ("c1", "c2"))
    task = made.task(
        "L4",
        made.gold("c1", "search", query="x"),
        made.gold("c2", "history", user_id="U1"),
        made.gold("c3", "rank", listed, unlisted, item_ids=Allowed((["C01"],), "set")),
        rounds=2,
        keep=[Keep("c1"), Keep("c2", "unlisted")],
    )
    first = [
        made.sent("search", {"query": "x"}, made.items("C01", "C02")),
        made.sent("history", {}, made.items("C02", "C03")),
    ]
    found = [
        score(task, made.trace(first, [made.sent("rank", {"item_ids": ids})]))["dependency_awareness"]
        for ids in (["C01"], ["C01", "C02"], ["C01", "C03"])
    ]
    assert found == [1.0, 0.5, 0.0]


def test_ids_of_a_page_stand_in_its_item_ids(made: Any) -> None:
    """An edge from a page names them as it names those of a list."""
    page = Edge("c1", "items[].item_id", "item_ids")
    task = made.task("L4", made.gold("c1", "read"), made.gold("c2", "rank", page, item_ids=Allowed((IDS,), "set")))
    read = [made.sent("read", {}, {"page_id": "p", "text": "The best.", "item_ids": [*IDS, "X1"]})]
    figures = score(task, made.trace(read, [made.sent("rank", {"item_ids": IDS})]))
    assert figures["dependency_awareness"] == 1.0


def test_figures_of_no_call_are_zero_one_by_one() -> None:
    """Each function says so by itself."""
    assert {ratios.sequential_efficiency([]), ratios.tool_name_valid([]), ratios.efficiency([], ["t"])} == {0.0}


def test_l4_has_no_parameter_accuracy(made: Any) -> None:
    """The judge alone rates the parameters of a hybrid workflow."""
    task = made.task("L4", made.gold("c1", "search", query="x"))
    assert score(task, made.trace([made.sent("search", {"query": "x"})]))["parameter_accuracy"] is None


def test_conduct_tells_what_was_used_of_what_gold_uses(made: Any) -> None:
    """Rounds and calls of the rollout and of the gold workflow."""
    figures = OrchestrationConduct().score(l3(made), made.trace(*l3_rounds(made), l3_rounds(made)[2]))
    names = ("rounds", "expected_rounds", "calls", "expected_calls")
    assert [figures[name] for name in names] == [4.0, 3.0, 4.0, 3.0]


def test_figures_of_workflows_are_named_by_level() -> None:
    """The table of the specification, section 5."""
    first = ("tool_name_valid", "schema_compliance", "execution_success")
    hits = ("hit", "hit_at_3", "hit_at_5")
    assert BY_LEVEL == {
        "L1": (*first, "selection_accuracy", "parameter_accuracy", *hits),
        "L2": (*first, "selection_f1", "parameter_accuracy", "parallel_ratio", "efficiency", *hits),
        "L3": (*first, "selection_f1", "parameter_accuracy", "sequential_efficiency", "dependency_awareness", *hits),
        "L4": (*first, "selection_f1", "dependency_awareness", *hits),
    }
    assert Workflow.__attrs_attrs__[0].name == "level"


class TestFigures(MetricContract):
    """The figures by rule as a metric."""

    component = OrchestrationFigures

    @pytest.fixture(autouse=True)
    def _take(self, made: Any) -> None:
        self.made = made

    def cases(self) -> list[tuple[Task, Trace]]:
        """Return a perfect rollout, an aimless one, and one cut off."""
        made = self.made
        aimless = made.trace([made.sent("web")], ranking=None, stop="agent_time_limit")
        return [(l3(made), made.trace(*l3_rounds(made))), (l2(made), aimless), (l1(made), made.trace())]


class TestConduct(TestFigures):
    """Budget, errors and points as a metric."""

    component = OrchestrationConduct
