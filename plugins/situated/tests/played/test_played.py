"""Small stores of one's own played to the end: tasks, endings, replay, lies that gain nothing, figures done twice."""

import pytest
from recompute import figures, products, spread
from situated_liars import LIARS

SHOPS = ("corner_shop", "lamp_shop")
ENDINGS = {
    "success_cart_added",
    "recommendation_exhausted",
    "turn_limit",
    "motion_stall",
    "moderator_termination",
}
EARNED = ("success", "rpr", "recall_at_5", "ndcg_at_10", "lnsr")


@pytest.mark.parametrize("shop", SHOPS)
def test_a_store_of_ones_own_is_played_to_the_end(played, shop):
    """Every trial ends by a rule of the track, and the index-guided assistant sells something."""
    run = played(shop)
    stops = {trial["events"][-1]["stop"] for trial in run.trials.values()}
    assert (stops <= ENDINGS, run.total("index-guided", "success") > 0) == (True, True), stops
    assert set(run.trials) == {(cell, task) for cell, _ in run.trials for task in run.tasks}


@pytest.mark.parametrize("shop", SHOPS)
def test_it_is_replayed_and_reported(played, shop, capsys):
    """A stored run over it replays without a difference, and its report names the store."""
    run = played(shop)
    agent = "index-guided"
    capsys.readouterr()
    assert 0 == run.typed("replay", "latest", "--store", run.store, "--workers", "0")
    assert "no difference" in capsys.readouterr().out
    rows = {(row["scene"], row["agent"]): row["episodes"] for row in run.figures()["settings"]}
    assert rows[shop.replace("_", "-"), agent] == len(run.tasks)


@pytest.mark.parametrize("shop", [*SHOPS, "supermarket"])
def test_figures_computed_a_second_time_are_the_same(played, shop):
    """Every figure of every trial, recomputed from the exported file by code that shares nothing, is the stored one."""
    run = played(shop)
    catalog = products(run.folder)
    differing = [
        (key, name, value, trial["scores"].get(name))
        for key, trial in run.trials.items()
        for name, value in figures(run.tasks[key[1]], trial["events"], catalog).items()
        if value != pytest.approx(trial["scores"].get(name), abs=1e-9)
    ]
    assert [] == differing


@pytest.mark.parametrize("shop", SHOPS)
def test_means_computed_a_second_time_are_the_same(played, shop):
    """The mean of four subset means with their SD, or that over all where a subset is empty, is the reported one."""
    run = played(shop)
    for row in run.figures()["settings"]:
        for figure in ("success", "turns", "afr", "lnsr", "recall_at_5", "ndcg_at_10"):
            groups = {}
            for (cell, task), trial in run.trials.items():
                if cell == row["agent"]:
                    groups.setdefault(run.tasks[task]["facets"]["subset"], []).append(trial["scores"][figure])
            value, sd = spread(groups)
            scale = 1 if figure == "turns" else 100
            told = row["means"][figure]
            wanted = [None if each is None else pytest.approx(scale * each) for each in (value, sd)]
            assert [told["value"], told["sd"]] == wanted, (row["agent"], figure)


@pytest.mark.parametrize("liar", LIARS)
def test_a_lie_earns_nothing_that_silence_does_not(played, liar):
    """Claimed success, invented tools, forged results and labels never seen: no figure is above the silent one's."""
    run = played("corner_shop")
    gained = {
        (task, figure): (trial["scores"][figure], run.trials["silent", task]["scores"][figure])
        for (cell, task), trial in run.trials.items()
        for figure in EARNED
        if cell == liar and (trial["scores"][figure] or 0) > (run.trials["silent", task]["scores"][figure] or 0)
    }
    assert {} == gained


def test_each_lie_is_on_record(played):
    """Labels are counted, forged replies void, invented products no catalog entries, tools answered by an error."""
    run = played("corner_shop")
    assert run.total("labelling", "labels_assistant") == 2 * run.total("labelling", "turns") > 0
    assert run.total("forging", "neutral_assistant") == run.total("forging", "turns") > 0
    assert (run.total("inventing", "ranked_known"), run.total("inventing", "ranked") > 0) == (0, True)
    assert run.total("inventing", "tool_errors") == run.total("inventing", "tool_calls") > 0


def test_a_false_price_sells_nothing_that_does_not_suit(played):
    """Who says that all costs $0.99 meets no more shoppers' wishes than who tells the truth; each lie is exposed."""
    run = played("corner_shop")
    assert run.total("underpricing", "rpr") <= run.total("index-guided", "rpr")
    for (cell, task), trial in run.trials.items():
        did = [event["data"] for event in trial["events"] if event.get("name") == "user"]
        inspected = [data["inspected"] for data in did if data["inspected"]]
        assert set(did[-1]["cart"]) <= set(inspected), (cell, task)
    exposed = [
        each
        for (cell, _), trial in run.trials.items()
        for event in trial["events"]
        if cell == "underpricing" and event.get("name") == "user"
        for each in event["data"]["notes"]["exposed"]
    ]
    assert exposed
    assert {0.99} == {each["said"] for each in exposed if each["fact"] == "price"}
