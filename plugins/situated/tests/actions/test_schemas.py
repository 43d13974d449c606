"""The shape of both roles' replies: what schema and reader take, what they refuse, and that they agree."""

import json

import jsonschema_rs
import pytest

from recfw_situated.actions import assistant, user
from recfw_situated.actions.assistant import ACTS, read_assistant
from recfw_situated.actions.user import ACTIONS, FURNISHINGS, SUPERMARKET, Malformed, legal_names, read_call, read_user

SHARED = [
    "move_forward", "move_backward", "turn_and_move", "move_and_turn", "side_step", "turn", "look_up_down",
    "add_to_cart", "idle",
]  # fmt: skip
VALUES = {
    "direction": "left",
    "angle_deg": 30,
    "distance_cm": 100,
    "fixture": "A",
    "store": "A",
    "area": "A1",
    "item": "3",
}


def arguments(name, scene):
    """Return valid arguments of an action."""
    spec = next(one for one in ACTIONS if one.name == name)
    found = {each.name: VALUES.get(each.name) for each in spec.arguments}
    if name == "look_up_down":
        found["direction"] = "up"
    if "approach" in found:
        found["approach"] = "front" if scene == SUPERMARKET else "outside_doorway"
    return found


def every_call():
    """Return every action of both scenes with valid arguments."""
    return [
        (scene, name, arguments(name, scene)) for scene in (SUPERMARKET, FURNISHINGS) for name in legal_names(scene)
    ]


def takes(schema, value):
    """Return whether a JSON Schema takes a value."""
    return jsonschema_rs.validator_for(schema).is_valid(value)


def reads(read, *values, **options):
    """Return whether a reader takes a value."""
    try:
        read(*values, **options)
    except Malformed:
        return False
    return True


def reply(scene=SUPERMARKET, **changes):
    """Return a valid reply of the assistant, changed."""
    return {
        "utterance": "Hello.",
        "assistant_actions": [{"type": "Greet"}],
        "expected_user_action": {"name": "idle", "arguments": {}},
        "ranking": [],
        "tool_calls": [],
    } | changes


def test_the_scenes_have_twelve_and_thirteen_actions():
    """The action sets are the paper's."""
    assert sorted([*SHARED, "move_to_fixture", "pick_up_item", "drop_item"]) == sorted(legal_names(SUPERMARKET))
    own = ["move_to_store", "move_to_area", "check_item", "do_not_add_to_cart"]
    assert sorted([*SHARED, *own]) == sorted(legal_names(FURNISHINGS))


@pytest.mark.parametrize(("scene", "name", "held"), every_call())
def test_every_action_is_taken_whole_and_no_other_way(scene, name, held):
    """Schema and reader take a call with its arguments, and refuse it with one less, one more, or a wrong type."""
    whole = {"name": name, "arguments": held}
    broken = [{"name": name, "arguments": held | {"speed": 1}}, whole | {"id": "1"}]
    broken += [{"name": name, "arguments": {key: held[key] for key in held if key != one}} for one in held]
    broken += [{"name": name, "arguments": held | {one: wrong}} for one in held for wrong in (None, [held[one]], True)]
    schema = user.call_schema(scene)
    assert (takes(schema, whole), reads(read_call, whole, scene, "call")) == (True, True)
    assert [] == [one for one in broken if takes(schema, one)]
    assert [] == [one for one in broken if reads(read_call, one, scene, "call")]


@pytest.mark.parametrize(("scene", "name"), [(SUPERMARKET, "check_item"), (FURNISHINGS, "drop_item")])
def test_the_other_scenes_actions_are_unknown(scene, name):
    """An action of the other scene is refused, with the names of this one."""
    call = {"name": name, "arguments": arguments(name, scene)}
    assert not takes(user.call_schema(scene), call)
    with pytest.raises(Malformed, match="must be one of move_forward, .*idle, not '" + name):
        read_call(call, scene, "call")


@pytest.mark.parametrize("number", ["10", 10**400, float("nan"), float("inf"), float("-inf")], ids=lambda n: str(n)[:5])
def test_a_number_is_a_finite_number(number):
    """Text, NaN, infinities and numbers that no float holds are no lengths."""
    with pytest.raises(Malformed, match="distance_cm must be a number"):
        read_call({"name": "move_forward", "arguments": {"distance_cm": number}}, SUPERMARKET, "call")


@pytest.mark.parametrize("value", [None, [], "turn", 3])
def test_a_call_is_an_object(value):
    """What is no object is no call, nor are its arguments."""
    assert not reads(read_call, value, SUPERMARKET, "call")
    assert not reads(read_call, {"name": "idle", "arguments": value}, SUPERMARKET, "call")
    assert not reads(read_call, {"name": value}, SUPERMARKET, "call")


USERS = [
    ({"utterance": "Hm.", "tool_calls": [{"name": "idle", "arguments": {}}]}, True),
    ({"utterance": "", "tool_calls": [{"name": "idle", "arguments": {}}]}, True),
    ({"utterance": "Hm.", "tool_calls": []}, False),
    ({"utterance": "Hm.", "tool_calls": [{"name": "idle", "arguments": {}}] * 2}, False),
    ({"utterance": 3, "tool_calls": [{"name": "idle", "arguments": {}}]}, False),
    ({"tool_calls": [{"name": "idle", "arguments": {}}]}, False),
    ({"utterance": "Hm.", "tool_calls": {"name": "idle", "arguments": {}}}, False),
    ({"utterance": "Hm.", "tool_calls": [{"name": "idle", "arguments": {}}], "price": 3}, False),
    ("Hm.", False),
    (None, False),
]


@pytest.mark.parametrize(("data", "valid"), USERS)
def test_a_user_says_something_and_does_one_thing(data, valid):
    """Words and exactly one action, and no other key."""
    assert reads(read_user, data, SUPERMARKET) is valid


def test_the_first_of_several_actions_is_taken_when_lenient():
    """The second time round the first of several actions counts, and their number is kept."""
    calls = [{"name": name, "arguments": {}} for name in ("idle", "drop_item")]
    turn = read_user({"utterance": "Hm.", "tool_calls": calls}, SUPERMARKET, lenient=True)
    assert ("idle", 2) == (turn.call.name, turn.calls)


NAVIGATE = {"type": "Navigate", "navigation_goal": "Pasta", "reason": "it is there"}
FURTHER = {"next_waypoint": "1", "target_approach": "outside_doorway"}
RECOMMEND = {"type": "Recommend", "display_name": "x", "visible_now": True, "reason": "y"}
ANNOTATED = [
    *((scene, {"type": act}, act not in ("Navigate", "Recommend")) for act in ACTS for scene in user.SCENES),
    (SUPERMARKET, NAVIGATE, True),
    (FURNISHINGS, NAVIGATE, False),
    (SUPERMARKET, NAVIGATE | FURTHER, False),
    (FURNISHINGS, NAVIGATE | FURTHER, True),
    (FURNISHINGS, NAVIGATE | FURTHER | {"target_approach": "front"}, False),
    (SUPERMARKET, RECOMMEND, True),
    (SUPERMARKET, RECOMMEND | {"visible_now": "yes"}, False),
    (SUPERMARKET, RECOMMEND | {"reason": None}, False),
    (SUPERMARKET, RECOMMEND | {"price": "3"}, False),
    (SUPERMARKET, {"type": "Greet", "reason": "x"}, False),
    (SUPERMARKET, {"type": "Dance"}, False),
    (SUPERMARKET, {"type": ["Greet"]}, False),
    (SUPERMARKET, {}, False),
]


@pytest.mark.parametrize(("scene", "act", "valid"), ANNOTATED)
def test_an_annotation_has_the_keys_of_its_act(scene, act, valid):
    """Schema and reader take each of the ten acts with its own keys, and nothing else."""
    data = reply(assistant_actions=[act])
    assert (takes(assistant.reply_schema(scene), data), reads(read_assistant, data, scene)) == (valid, valid)


@pytest.mark.parametrize(
    "changes",
    [
        {"assistant_actions": []},
        {"assistant_actions": [{"type": "Greet"}] * 2},
        {"assistant_actions": {"type": "Greet"}},
        {"utterance": " "},
        {"utterance": None},
        {"tool_calls": [{"name": "idle", "arguments": {}}]},
        {"tool_calls": None},
        {"expected_user_action": None},
        {"expected_user_action": {"name": "check_item", "arguments": {"item": "A"}}},
        {"ranking": "cocoa-comets"},
        {"ranking": [3]},
        {"ranking": [str(number) for number in range(11)]},
        {"thoughts": "x"},
    ],
)
def test_a_reply_of_the_assistant_is_refused(changes):
    """What is off in any part of the reply is refused."""
    assert reads(read_assistant, reply(), SUPERMARKET)
    assert not reads(read_assistant, reply(**changes), SUPERMARKET)


@pytest.mark.parametrize("key", ["utterance", "assistant_actions", "expected_user_action", "ranking", "tool_calls"])
def test_no_part_of_the_assistants_reply_may_be_left_out(key):
    """Every key is required, by schema and reader."""
    data = {name: value for name, value in reply().items() if name != key}
    assert not takes(assistant.reply_schema(SUPERMARKET), data)
    with pytest.raises(Malformed, match=f"{key} is missing"):
        read_assistant(data, SUPERMARKET)


def test_a_blind_assistant_may_suggest_a_pick_up_without_a_product():
    """Where the assistant sees no entities a pick-up needs no item; otherwise it does."""
    data = reply(expected_user_action={"name": "pick_up_item", "arguments": {}})
    assert reads(read_assistant, data, SUPERMARKET, blind=True)
    assert not reads(read_assistant, data, SUPERMARKET)


@pytest.mark.parametrize("schema", [assistant.reply_schema, user.reply_schema])
@pytest.mark.parametrize("scene", user.SCENES)
def test_schemas_are_such_as_strict_providers_take(schema, scene):
    """Every object is closed and requires all of its properties, and no bound on numbers or lengths is used."""

    def nodes(value):
        if isinstance(value, dict):
            yield value
        for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from nodes(each)

    for node in nodes(schema(scene)):
        if node.get("type") == "object":
            assert (False, sorted(node["properties"])) == (node["additionalProperties"], sorted(node["required"]))
    words = json.dumps(schema(scene))
    assert [] == [word for word in ("minimum", "maximum", "minItems", "maxItems", "minLength") if f'"{word}"' in words]
