"""A model fills every role: briefs, schemas and pictures reach it through the language-model plugin."""

import asyncio
import json

import pytest

from recfw.engine.request import OptionValue, RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.model.run import TrialKey
from recfw.model.trace import PictureEvent, RefusalEvent
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.testing.fakes import MemoryRecorder
from recfw.testing.provider import Answer, Script, StubProvider

IDLE = {"name": "idle", "arguments": {}}
TURN = {"name": "turn", "arguments": {"direction": "right", "angle_deg": 90}}


def brain(request):
    """Play whichever role the schema shows; the assistant forgets a field once, and the moderator ends at last."""
    fields = set(request.schema["properties"])
    if "assistant_actions" in fields:
        reply = {"utterance": "Please turn right.", "assistant_actions": [{"type": "Explain"}], "tool_calls": []}
        reply |= {"expected_user_action": TURN, "ranking": ["cocoa-comets"]}
        if request.turns == 0 and "invalid" not in request.last_text:
            reply.pop("ranking")
        return Answer(json.dumps(reply))
    if "end" in fields:
        said = json.dumps(request.body["messages"])
        return Answer(json.dumps({"end": "yes" if said.count("Customer:") > 1 else "no", "reason": "enough"}))
    return Answer(json.dumps({"utterance": "All right.", "tool_calls": [TURN]}))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The trace of one episode with models in all three roles, and the requests."""
    registry = Registry(build_manager())
    with StubProvider(Script(record=100), brain=brain) as stub:
        shared = {"model": "x", "api_base": stub.url, "retries": 0}
        roles = ("agent", "user", "moderator")
        options = tuple(OptionValue(role, key, value) for role in roles for key, value in shared.items())
        request = RunRequest(
            track="situated",
            roles=dict.fromkeys(roles, ("endpoint",)),
            settings=options,
            tasks=("s01.1",),
            options={"scene": ("supermarket",)},
        )
        spec = build_spec(registry, request)

        async def play():
            async with Stage(registry, spec, tmp_path_factory.mktemp("stage")) as stage:
                return await stage.run(TrialKey(spec.cells[0].name, "s01.1", 0), 1, MemoryRecorder())

        trial = asyncio.run(play())
        assert "" == trial.error
        yield unpack_trace(trial.trace), [each.body for each in stub.recorded]


def test_models_play_to_the_moderators_end(played):
    """Two turns are played and the moderator's yes ends them."""
    trace, _ = played
    assert ("moderator_termination", 2) == (trace.stop, len(trace.world("user")))


def test_the_assistants_error_was_quoted_once(played):
    """The forgotten field is refused in words, and the repaired reply counts."""
    trace, _ = played
    refused = [event for event in trace.events if isinstance(event, RefusalEvent)]
    assert ["agent"] == [event.role for event in refused]
    assert "ranking is missing" in refused[0].words
    assert [True, False] == [event.data["repaired"] for event in trace.world("assistant")]


def test_each_role_looked_at_its_own_pictures(played):
    """The assistant sees map and view, the user its own view, the moderator none."""
    trace, _ = played
    looked = {(event.role, event.handle) for event in trace.events if isinstance(event, PictureEvent)}
    own = {("agent", "map"), ("agent", "assistant"), ("user", "user")}
    assert {(role, f"{kind}-{turn}") for role, kind in own for turn in (1, 2)} == looked


def test_briefs_reach_the_right_roles(played):
    """The catalog is the assistant's, profile and goal are the user's, and pictures are sent as images."""
    _, bodies = played
    texts = {}
    for body in bodies:
        name = body["response_format"]["json_schema"]["name"]
        texts.setdefault(name, json.dumps(body["messages"]))
    assert "sunny-field-corn-flakes" in texts["agent_reply"]
    assert "Early-shift nurse" in texts["user_reply"]
    assert "Early-shift nurse" not in texts["agent_reply"]
    assert "sunny-field-corn-flakes" not in texts["user_reply"]
    assert "image_url" in texts["agent_reply"]
    assert "image_url" in texts["user_reply"]
    assert "image_url" not in texts["moderator_reply"]


def test_strict_providers_take_the_schemas(played):
    """All three schemas are sent as strict formats."""
    _, bodies = played
    assert {True} == {body["response_format"]["json_schema"]["strict"] for body in bodies}
