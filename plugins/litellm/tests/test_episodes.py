"""One model class plays whole episodes of tracks that have nothing in common, against a model that acts on requests."""

import json
import re

import pytest
from fakes.bench import Bench

from recfw.cli.main import invoke
from recfw.engine.request import OptionValue, RunRequest, build_spec
from recfw.model.run import TrialKey
from recfw.model.trace import PictureEvent, ReplyEvent
from recfw.serialize import unpack_trace
from recfw.store.repository import Store
from recfw.testing.provider import Answer, Call, ChatRequest, Script, StubProvider

JSON = "Sure:\n```json\n{}\n```"


def act(request: ChatRequest) -> Answer:
    """Return what a model would say that plays whichever role the request's tools, schema or words show."""
    tools = {tool["name"] for tool in request.tools}
    if "choose" in tools:
        return talk(request)
    if "multiples" in tools:
        return plan(request)
    if "search_books" in tools:
        return recommend(request)
    return walk(request) if request.images else wish(request)


def talk(request: ChatRequest) -> Answer:
    """Look an item up beside a call that does not fit the schema, ask, propose, choose."""
    heard = [message["content"] for message in request.messages if message["role"] == "user"]
    if not request.called:
        return Answer("Let me see.", (Call("look_up", {"item": "red-cube"}), Call("look_up", {"wrong": 1})))
    if len(heard) == 1:
        return Answer("<think>I cannot know.</think>Which color and shape?")
    color, shape = re.search(r"(red|blue) and (cube|ball)", heard[1]).groups()
    if len(heard) == 2:
        return Answer(f"What of [{color}-{shape}]?")
    return Answer(calls=(Call("choose", {"item": f"{color}-{shape}"}),))


def wish(request: ChatRequest) -> Answer:
    """Open, say what is wanted when asked, agree."""
    asked = request.last_text
    return Answer("red and cube" if "Which" in asked else "Yes." if "What of" in asked else "I want a thing.")


def plan(request: ChatRequest) -> Answer:
    """Call two tools side by side until a round is compressed, then rank, in words around the JSON."""
    text = request.last_text
    n, floor = map(int, re.search(r"multiple of (\d+) greater than (\d+)", text).groups())
    if "[system] round 0:" not in text:
        return Answer(calls=(Call("multiples", {"n": n}), Call("above", {"n": floor})))
    assert "JSON Schema" in request.messages[0]["content"]
    return Answer(JSON.format(json.dumps({"ranking": [next(i for i in range(floor + 1, 100) if i % n == 0)]})))


def walk(request: ChatRequest) -> Answer:
    """Forget the schema once, then point right; or step where was pointed."""
    said = request.messages[0]["content"] if request.messages[0]["role"] == "system" else ""
    if "step" in request.schema["properties"]:
        return Answer(json.dumps({"step": 1 if said == "right" else -1}))
    return Answer(json.dumps({"point": "right"})) if said else Answer("Hm.")


def recommend(request: ChatRequest) -> Answer:
    """Search, then recommend what was found first."""
    if not request.called:
        return Answer(calls=(Call("search_books", {"sort": "recency"}),))
    found = json.loads(request.messages[-1]["content"])["items"][0]["id"]
    return Answer(calls=(Call("recommend", {"item_id": found}),))


@pytest.fixture(params=["endpoint", "litellm"])
def bench(request, registry, tmp_path, library):
    """A function that runs a track with models in these roles; it gives traces by task, and the mean success."""
    name = request.param
    model = {"endpoint": "x", "litellm": "openai/x"}[name]

    def run(track, *roles, url, tasks=(), **settings):
        made = Bench(registry, tmp_path)
        shared = {"model": model, "api_base": url, "retries": 0, **settings}
        options = [OptionValue(role, key, value) for role in roles for key, value in shared.items()]
        fillers = dict.fromkeys(roles, (name,))
        spec = build_spec(registry, RunRequest(track=track, roles=fillers, settings=tuple(options), tasks=tasks))
        tally = made.run(spec)
        with Store.open(made.place) as store:
            rows = list(store.rows("r1"))
            traces = {
                row.task: unpack_trace(store.packed_trace("r1", TrialKey(row.cell, row.task, row.trial)))
                for row in rows
            }
        return tally, rows, traces

    return run


@pytest.fixture
def stub():
    """The stub whose model acts, keeping what it was sent."""
    with StubProvider(Script(record=5000), brain=act) as serving:
        yield serving


def successes(rows):
    """Return task -> success."""
    return {row.task: row.scores["success"] for row in rows}


def test_dialogue_with_tools(bench, stub):
    """The agent looks up, asks, proposes and chooses; a bad call is answered, and thoughts stay with it."""
    _, rows, traces = bench("fake-dialogue", "agent", url=stub.url)
    assert {1.0} == set(successes(rows).values())
    assert 8 == len(rows)
    replies = [event.reply for event in traces["d0"].events if isinstance(event, ReplyEvent) and event.role == "agent"]
    assert "I cannot know." in [reply.reasoning for reply in replies]
    assert not any("cannot know" in json.dumps(one.body) for one in stub.recorded)


def test_a_model_as_user(bench, stub):
    """Agent and user are models, each metered as its own."""
    _, rows, traces = bench("fake-dialogue", "agent", "user", url=stub.url)
    assert {"d0", "d4"} == {task for task, met in successes(rows).items() if met}
    speakers = [event.role for event in traces["d0"].events if isinstance(event, ReplyEvent) and event.reply.usage]
    assert {"agent", "user"} == set(speakers)


def test_rounds_of_parallel_calls_with_structured_output(bench, stub):
    """Several calls a turn, a compressed history, a silent user, and JSON within words at the end."""
    _, rows, _ = bench("fake-rounds", "agent", url=stub.url)
    assert {1.0} == set(successes(rows).values())


def test_pictures_with_structured_output(bench, stub):
    """Agent and user look at pictures and answer by a schema; a reply that forgets it is repaired."""
    _, rows, traces = bench("fake-pictures", "agent", "user", url=stub.url)
    assert {"p5", "p6", "p7", "p8"} <= {task for task, met in successes(rows).items() if met}
    looked = [event for event in traces["p8"].events if isinstance(event, PictureEvent)]
    assert {"agent", "user"} == {event.role for event in looked}
    assert 0 < stub.stats.images
    assert {True} == {bool(one.body.get("response_format")) for one in stub.recorded}


def test_pictures_told_in_words(bench, stub, tmp_path):
    """A model that cannot see is told what pictures show, and none is fetched."""
    _, _, traces = bench("fake-pictures", "agent", url=stub.url, pictures=False, tasks=("p8",))
    assert [] == [event for event in traces["p8"].events if isinstance(event, PictureEvent)]
    assert "[picture: a corridor]" in stub.recorded[0].body["messages"][0]["content"]


def test_books(bench, stub):
    """The books track is played with a model as it is with its own agents."""
    _, rows, traces = bench("books", "agent", url=stub.url, tasks=("b00?-hidden",))
    assert {"recommended"} == {trace.stop for trace in traces.values()}
    assert 9 == len(rows)


def test_a_typed_command(stub, tmp_path, monkeypatch, capsys):
    """One command plays with a model behind an endpoint, and its report is printed."""
    monkeypatch.chdir(tmp_path)
    words = ["run", "--plugin", "books", "--agent", "endpoint", "--tasks", "b001-*"]
    words += ["--set", "agent.model=x", "--set", f"agent.api_base={stub.url}", "--set", 'agent.extra={"top_k": 5}']
    assert 0 == invoke(words)
    assert "endpoint" in capsys.readouterr().out
    assert {5} == {one.body.get("top_k") for one in stub.recorded}
