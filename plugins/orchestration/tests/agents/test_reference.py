"""The reference agents: the ceiling knows no target, the floor scores what is expected, the router lies between."""

import asyncio
from collections import defaultdict

import orjson
import pytest
from attrs import evolve

from recfw.errors import DataError
from recfw.model.draws import Draws
from recfw.model.reply import Reply
from recfw.model.view import ToolSpec, View
from recfw.protocols import Context
from recfw_orchestration.agents.filling import fill
from recfw_orchestration.agents.gold import Gold, GoldOptions
from recfw_orchestration.agents.matching import Directory, stems
from recfw_orchestration.agents.random_caller import RandomCaller, arguments, expected
from recfw_orchestration.agents.router import Router, ranked_by
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.servers.clients import open_servers
from recfw_orchestration.tasks import pool
from recfw_orchestration.tasks.records import workflow_of

SAMPLE = pool.read().tasks[::16]


def specs():
    """Return every tool, its strict schema with it; a server asks its store for nothing until it is called."""
    return {
        tool.name: ToolSpec(tool.name, tool.description, tool.parameters)
        for server in SERVERS.values()
        for tool in server.build(None).strict_tools
    }


TOOLS = specs()


def facts_of(task, number, results):
    """Return what an agent sees of a task."""
    public = task.public
    known = {name: public[name] for name in ("user_id", "place", "time", "candidates")}
    return {"request": public["instruction"], "round": number, "results": results, **known}


async def play(agent, task, call, seed=0):
    """Play a task without the engine; return the rounds of calls and the final ranking."""
    player, rounds, results = agent.episode(Context("agent", task.id, seed)), [], []
    tools = tuple(TOOLS[name] for name in task.public["tools"])
    while len(rounds) < 10:
        reply = await player.reply(View("agent", (), tools, {}, facts_of(task, len(rounds) + 1, results)))
        if not reply.calls:
            return rounds, reply.data["ranking"]
        rounds.append([(each.name, orjson.loads(each.arguments)) for each in reply.calls])
        results = [await call(*each) for each in rounds[-1]]
    raise AssertionError("it goes on and on")


def played(agent, tasks, world, spoil=lambda _tool, content: content, seed=0):
    """Return (task, rounds, ranking) of each task, on live servers."""

    async def run():
        async with open_servers(world) as desk:

            async def call(tool, sent):
                outcome = await desk.call(tool, sent, 30.0)
                content = outcome.text if outcome.is_error else spoil(tool, outcome.content)
                return {"tool": tool, "content": content, "error": outcome.is_error}

            return [(task, *await play(agent, task, call, seed)) for task in tasks]

    return asyncio.run(run())


# Gold


@pytest.fixture(scope="module")
def golden(world):
    """Return what gold does on a sample."""
    return played(Gold(), SAMPLE, world)


def test_gold_ranks_the_target_first(golden):
    """From live results."""
    assert [task.id for task, _, ranking in golden if ranking[0] != task.private["target"]] == []


def test_gold_makes_the_gold_calls_in_the_fewest_rounds(golden):
    """No more, no less."""
    for task, rounds, _ in golden:
        flow = workflow_of(task)
        sent = sorted(tool for calls in rounds for tool, _ in calls)
        assert (len(rounds), sent) == (flow.rounds, sorted(call.tool for call in flow.calls))


def test_gold_needs_no_target_and_no_recorded_values(world, tmp_path):
    """A file whose targets are gone, and whose dependent values are nonsense, gives the same rankings."""
    made = []
    for task in SAMPLE:
        gold = orjson.loads(orjson.dumps(task.private["gold"]))
        for call in gold["calls"]:
            for one in call["arguments"].values():
                if one["origin"]:
                    one["values"] = ["nonsense"]
        made.append(evolve(task, private={"target": "nobody", "gold": gold, "plain": "", "phrases": []}))
    pool.write(tmp_path / "t.jsonl", pool.shipped().head, made)
    found = played(Gold(GoldOptions(str(tmp_path / "t.jsonl"))), SAMPLE, world)
    assert [task.id for task, _, ranking in found if ranking[0] != task.private["target"]] == []


def test_gold_fails_where_a_tool_answers_wrongly(world):
    """Its ranking follows results, and nothing else."""

    def spoil(_tool, content):
        return {**content, "items": content["items"][::-1][:1]} if content.get("items") else content

    found = played(Gold(), SAMPLE, world, spoil)
    assert sum(ranking[0] != task.private["target"] for task, _, ranking in found) > len(SAMPLE) / 2


def test_gold_refuses_tasks_that_are_not_in_its_file():
    """It says how to name another file; a task of the same name but another request is another task."""
    with pytest.raises(DataError, match="holds the task 'elsewhere'"):
        Gold().episode(Context("agent", "elsewhere", 0))
    task = SAMPLE[0]
    player = Gold().episode(Context("agent", task.id, 0))
    view = View("agent", facts={**facts_of(task, 1, []), "request": "another"})
    with pytest.raises(DataError, match=r"tasks_file=FILE"):
        asyncio.run(player.reply(view))


# Random


def silent(_tool, _sent):
    """Answer every call with nothing."""

    async def answer():
        return {"tool": "", "content": {"items": []}, "error": False}

    return answer()


def test_random_scores_what_is_expected():
    """Over 40 seeds of each of 81 tasks, each mean is within four standard errors of the mean expectation."""
    sums, wanted, n = defaultdict(float), defaultdict(float), 0
    for seed in range(40):
        for task in SAMPLE:
            rounds, ranking = asyncio.run(play(RandomCaller(), task, silent, seed))
            gold = [call.tool for call in workflow_of(task).calls]
            ((tool, _),) = rounds[0]
            place, n = ranking.index(task.private["target"]), n + 1
            sums["selection_accuracy"] += {tool} == set(gold)
            sums["selection_f1"] += 2 * (tool in gold) / (1 + len(set(gold)))
            sums["efficiency"] += (tool in gold) / len(gold)
            for name, k in (("hit", 1), ("hit_at_3", 3), ("hit_at_5", 5)):
                sums[name] += place < k
            for name, value in expected(task).items():
                wanted[name] += value
    for name, total in sums.items():
        error = (max(wanted[name] / n * (1 - wanted[name] / n), 0.01) / n) ** 0.5
        assert abs(total / n - wanted[name] / n) < 4 * error, (name, total / n, wanted[name] / n)


def test_random_makes_one_call_whose_arguments_fit():
    """Whatever the tool."""
    import jsonschema_rs

    draws = Draws(1)
    for tool in TOOLS.values():
        for _ in range(30):
            sent = arguments(tool, [f"F{n:08}" for n in range(20)], draws)
            assert jsonschema_rs.Draft202012Validator(tool.parameters).is_valid(sent), (tool.name, sent)


def test_random_expects_nothing_of_dependencies():
    """It makes one call, so none comes after another."""
    assert expected(SAMPLE[40])["dependency_awareness"] == 0.0


def test_expectations_follow_the_number_of_tools():
    """With all 32 tools a right guess is rarer."""
    task = next(task for task in SAMPLE if task.facets["level"] == "L1")
    assert (expected(task)["selection_accuracy"], expected(task, 32)["selection_accuracy"]) == (1 / 13, 1 / 32)


# Router


def test_the_router_lies_between_floor_and_ceiling(world):
    """It hits the target, and picks gold tools, more often than chance, and far less often than gold."""
    found = played(Router(), SAMPLE, world)
    hits = sum(ranking[0] == task.private["target"] for task, _, ranking in found) / len(found)
    f1 = chance = 0.0
    for task, rounds, _ in found:
        gold = {call.tool for call in workflow_of(task).calls}
        called = {tool for calls in rounds for tool, _ in calls}
        f1 += 2 * len(gold & called) / (len(gold) + len(called)) / len(found)
        chance += expected(task)["selection_f1"] / len(found)
    assert (0.1 < hits < 0.6, chance * 2 < f1 < 0.8) == (True, True), (hits, f1, chance)


def test_the_router_is_deterministic(world):
    """The same calls, whatever the seed."""
    assert played(Router(), SAMPLE[:8], world) == played(Router(), SAMPLE[:8], world, seed=9)


def test_a_sentence_finds_the_tool_that_says_the_same():
    """By words that few tools share."""
    directory = Directory.of([TOOLS[name] for name in pool.shipped().head.tools["local"]])
    best = max(directory.weights, key=lambda tool: directory.score("Which of them are open at this local time?", tool))
    assert best == "check_open"


def test_words_that_all_tools_share_weigh_nothing():
    """And endings do not matter."""
    same = [ToolSpec(name, "Lists lamps.", {"properties": {}}) for name in ("alpha", "beta")]
    directory = Directory.of(same)
    assert (directory.score("lamp", "alpha"), stems("Ratings of rated")) == (0.0, ["rat", "rat"])


def test_arguments_come_from_context_sentence_and_results():
    """Ids of the candidates, numbers by the words beside them, places by name; what is not known is left out."""
    facts = {"user_id": "U", "place": {"lat": 1.5, "lon": 2.5}, "time": None, "candidates": ["A", "B"]}
    rating = fill(TOOLS["filter_products_by_rating"], "at least 4 stars and 30 reviews", facts, ())
    near = fill(TOOLS["find_businesses_nearby"], "within 3 km", facts, ())
    assert (rating["item_ids"], rating["min_rating"], near["lat"], near["lon"], near["radius_km"]) == (
        ["A", "B"],
        4,
        1.5,
        2.5,
        3,
    )
    assert fill(TOOLS["check_open"], "open now", facts, ()) is None
    assert fill(TOOLS["read_page"], "read", facts, [{"page_id": "p1"}]) == {"page_id": "p1"}


def test_candidates_are_ranked_by_how_many_results_name_them():
    """Then by their places, then by id."""
    results = [{"items": [{"item_id": "B"}, {"item_id": "A"}]}, {"items": [{"item_ids": ["A", "C"]}]}]
    assert ranked_by(results, ["C", "B", "A"]) == ["A", "B", "C"]


def test_all_three_end_with_a_ranking_of_candidates(world):
    """So no episode ends by a limit."""
    for agent in (Gold(), Router(), RandomCaller()):
        for task, _, ranking in played(agent, SAMPLE[::8], world):
            assert set(ranking) <= set(task.public["candidates"])
            assert isinstance(Reply(data={"ranking": ranking}).data["ranking"], list)
