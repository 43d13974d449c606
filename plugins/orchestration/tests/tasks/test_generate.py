"""The pipeline on the embedded world: equal seeds, equal tasks; a store that cannot fill a cell; words by a model."""

import asyncio

import orjson
import pytest
from attrs import evolve

from recfw.errors import InfrastructureError
from recfw.model.reply import Reply
from recfw.testing.provider import Answer, StubProvider
from recfw_orchestration.servers import tools_of
from recfw_orchestration.servers.clients import open_servers
from recfw_orchestration.tasks import generate as pipeline
from recfw_orchestration.tasks import pool
from recfw_orchestration.tasks.fuzzify.fuzzing import Request
from recfw_orchestration.tasks.generate import Generator
from recfw_orchestration.tasks.records import Phrase, phrases_of, workflow_of
from recfw_orchestration.tasks.rewording import rewording, taken, view_of
from recfw_orchestration.tasks.synthesize.running import Runner
from recfw_orchestration.validate import validate

PLAN = {"places": {"L1": 5, "L2": 2, "L3": 1, "L4": 1}, "electronics": {"L1": 2, "L4": 1}, "local": {"L3": 1}}


def generated(world, plan, seed=1, model=None):
    """Return a plan's tasks, their endings, and how many requests kept the phrasings' words."""

    async def run():
        async with open_servers(world) as desk, rewording(model, seed) as rewrite:
            schemas = {tool.name: tool.input_schema for tool in desk.tools()}
            made = Generator(world, Runner(desk), schemas, seed, 1288, rewrite=rewrite)
            return *(await made.generate(plan)), made.kept

    return asyncio.run(run())


def encoded(world, tasks, seed=1):
    """Return a task file's bytes."""
    return pool.encode(pool.Head(seed, world.digest, {"places": tuple(tools_of("places"))}), tasks)


@pytest.fixture(scope="module")
def made(world):
    """Return a small plan's tasks and endings."""
    tasks, endings, _ = generated(world, PLAN)
    return tasks, endings


def test_a_plan_is_filled_in_order(made):
    """Of domain, level and number."""
    cells = [(domain, level, many) for domain, levels in PLAN.items() for level, many in levels.items()]
    wanted = [f"{domain}-{level}-{n:03d}" for domain, level, many in cells for n in range(1, many + 1)]
    assert wanted == [task.id for task in made[0]]


def test_endings_count_every_draft(made):
    """Those that were taken among them."""
    assert made[1]["places L1"]["taken"] == 5
    assert made[1]["places L4"].total() > 1


def test_equal_seeds_give_equal_bytes(world, made):
    """And another seed others."""
    few = {"places": {"L1": 5, "L2": 2}}
    first, again, other = (encoded(world, generated(world, few, seed)[0]) for seed in (1, 1, 2))
    assert (first == again, first == other) == (True, False)
    assert orjson.loads(first.splitlines()[1])["public"]["instruction"] == made[0][0].public["instruction"]


def test_what_is_generated_is_valid(world, made):
    """By the validator, which shares no code with the generator."""
    tasks = [evolve(task, public={**task.public, "tools": list(tools_of(task.facets["domain"]))}) for task in made[0]]
    assert [problem for problem in validate(world, tasks) if problem.where != "set"] == []


def test_the_target_is_what_was_held_out(world, made):
    """And stands unmarked among at least 20 candidates."""
    for task in made[0]:
        held = world.held_out(task.facets["domain"], task.public["user_id"])
        assert (held.item_id, len(task.public["candidates"]) >= 20) == (task.private["target"], True)
        assert held.item_id in task.public["candidates"]


def test_a_cell_that_cannot_be_filled_holds_what_was_found(world, monkeypatch):
    """With its own spread of ambiguity, so that the set stays valid."""
    monkeypatch.setattr(pipeline, "PATIENCE", 3)
    tasks, endings, _ = generated(world, {"places": {"L1": 60}})
    assert 0 < len(tasks) < 60
    assert endings["places L1"]["taken"] > len(tasks)


def test_chains_take_their_values_from_results(made):
    """The recorded values are those of the live run."""
    (task,) = [task for task in made[0] if task.id == "places-L3-001"]
    taken_from = [one for call in workflow_of(task).calls for one in call.arguments.values() if one.origin]
    assert taken_from
    assert all(one.values for one in taken_from)


# Words by a model

PHRASE = Phrase(
    "vague_quantifier",
    "has <min_rating> ratings",
    "One that has solid ratings.",
    {"min_rating": "solid"},
    {"min_rating": 4},
)
REQUEST = Request("One that has solid ratings.", "One with 4 stars.", (PHRASE,))


def test_a_model_sees_both_versions_and_the_words_to_keep():
    """And neither target nor workflow."""
    told = orjson.loads(view_of(REQUEST).messages[-1].text)
    assert told == {
        "plain": "One with 4 stars.",
        "vague": "One that has solid ratings.",
        "ways": [{"type": "vague_quantifier", "keep": ["solid"]}],
    }


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"instruction": "x"},
        {"instruction": "  ", "phrases": []},
        {"instruction": "x", "phrases": [{"type": "soft_contradiction", "text": "x"}]},
        {"instruction": "x", "phrases": [{"type": "vague_quantifier", "text": 7}]},
        {"instruction": 3, "phrases": []},
    ],
)
def test_words_of_another_form_are_not_taken(data):
    """A model may say anything."""
    assert taken(REQUEST, data) is None


def test_words_of_the_form_asked_are_taken():
    """The pattern masks numbers and the lexicon's words."""
    text = "with solid ratings, 3 times over"
    found = taken(REQUEST, {"instruction": f"One {text}.", "phrases": [{"type": "vague_quantifier", "text": text}]})
    assert (found.instruction, found.phrases[0].pattern) == (
        f"One {text}.",
        "with <min_rating> ratings, <n> times over",
    )


class Writer:
    """A model that answers each request by a function."""

    def __init__(self, says):
        self.says = says

    def open(self):
        return self

    async def __aenter__(self):
        return None

    async def __aexit__(self, *_):
        return None

    def episode(self, context):
        self.context = context
        return self

    async def reply(self, view):
        return self.says(orjson.loads(view.messages[-1].text))


def polite(told):
    """Return a rewording that keeps what must be kept: the vague version behind a greeting."""
    ways = [{"type": way["type"], "text": told["vague"]} for way in told["ways"]]
    return {"instruction": f"Good day! {told['vague']}", "phrases": ways}


def fails(_):
    """Fail as a provider that answers nothing."""
    raise InfrastructureError("it does not answer")


@pytest.mark.parametrize(
    ("says", "start", "kept"),
    [
        (lambda told: Reply(data=polite(told)), "Good day!", 0),
        (lambda told: Reply(f"Sure: {orjson.dumps(polite(told)).decode()}"), "Good day!", 0),
        (lambda _: Reply("I would rather not."), "", 2),
        (lambda _: Reply(data={"instruction": "Anything.", "phrases": []}), "", 2),
        (fails, "", 2),
    ],
)
def test_a_model_words_requests_and_bad_words_are_replaced(world, says, start, kept):
    """What it writes is judged by the same rules; the phrasings' words stay where it fails them."""
    tasks, _, left = generated(world, {"places": {"L1": 2}}, model=Writer(says))
    assert ([task.public["instruction"].startswith(start) for task in tasks], left) == ([True, True], kept)
    assert all(phrase.text in task.public["instruction"] for task in tasks for phrase in phrases_of(task))


def test_a_component_of_the_registry_words_requests(world):
    """The endpoint of recfw-litellm, against the stub provider."""
    from recfw_litellm.options import PlayerOptions  # tox installs the plugin: its absence is a failure
    from recfw_litellm.participants import EndpointStandIn

    def brain(request):
        said = request.body["messages"][-1]["content"]
        told = orjson.loads(said[said.index("{") :])
        return Answer(orjson.dumps(polite(told)).decode())

    with StubProvider(brain=brain) as stub:
        model = EndpointStandIn(PlayerOptions(model="stub", api_base=stub.url))
        tasks, _, kept = generated(world, {"places": {"L1": 2}}, model=model)
    assert ([task.public["instruction"][:9] for task in tasks], kept) == (["Good day!"] * 2, 0)
