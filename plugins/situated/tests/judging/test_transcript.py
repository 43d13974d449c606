"""What a judge is shown of an episode."""

import pytest
from trajectories import call, did, episode, observed, said, violation

from recfw.model.rubric import Transcript
from recfw.model.task import Task
from recfw_situated.judging.transcript import transcript
from recfw_situated.scenes.records import Product, Scene
from recfw_situated.tasks.pool import shipped
from recfw_situated.tasks.records import to_task
from recfw_situated.track import SituatedTrack


@pytest.fixture(scope="module")
def task() -> Task:
    """A supermarket task as it is played."""
    return to_task(next(task for task in shipped() if task.scene == "supermarket"))


@pytest.fixture(scope="module")
def seen(supermarket: Scene) -> tuple[str, Product, Product]:
    """A fixture and two products."""
    return supermarket.fixtures[0].id, supermarket.products[0], supermarket.products[1]


@pytest.fixture(scope="module")
def shown(task: Task, seen: tuple[str, Product, Product], supermarket: Scene) -> Transcript:
    """A short episode: walk, pick up, a refused action."""
    fixture, first, _ = seen
    trace = episode(
        observed(1, f"fixture:{fixture}", f"product:{first.id}"),
        said(
            1, "Navigate", call("move_to_fixture", fixture, "front"), utterance="Please come along.", ranking=["secret"]
        ),
        did(1, call("move_to_fixture", fixture, "front", arguments={"fixture": "QQ"}), utterance="Fine.", moved=250.0),
        observed(2, f"product:{first.id}"),
        said(2, "Recommend", call("pick_up_item", first.id), utterance="Have a look at QQ."),
        violation(2, "assistant", "QQ"),
        did(2, call("pick_up_item", first.id), utterance="", inspected=first.id),
        observed(3),
        said(3, "Explain", utterance="Here."),
        did(3, call("turn", direction="left", allowed=False), refusal="angle_deg must be between 1 and 180"),
        stop="motion_stall",
    )
    return transcript(task, trace, supermarket)


def test_words_and_outcomes_are_told_in_order(
    shown: Transcript, seen: tuple[str, Product, Product], supermarket: Scene
) -> None:
    """Who spoke, what was done by name, what came of it, what was refused, how it ended."""
    fixture, first, _ = seen
    name = supermarket.fixture_by_id[fixture].name
    lines = [line for line in shown.dialogue if line[0] != "view"]
    assert [who for who, _ in lines] == [
        "assistant", "shopper", "shopper's action", "assistant", "rule", "shopper's action", "assistant",
        "shopper's action", "end",
    ]  # fmt: skip
    assert lines[2][1] == f"move_to_fixture, {name}, front; moved 2.5 m"
    assert lines[5][1].startswith(f"pick_up_item, {first.name}; done; it revealed: {first.name}")
    assert (lines[7][1], lines[8][1]) == ("turn, left; refused", "motion_stall")


def test_an_inspection_reveals_price_and_attributes(shown: Transcript, seen: tuple[str, Product, Product]) -> None:
    """The judge can check what is said of a product."""
    first = seen[1]
    revealed = shown.dialogue[7][1]
    assert f"${first.price:.2f}" in revealed
    assert all(name in revealed for name in first.attributes)


def test_views_are_told_by_name(shown: Transcript, seen: tuple[str, Product, Product], supermarket: Scene) -> None:
    """What was in view stands there by its names."""
    fixture, first, _ = seen
    view = shown.dialogue[0]
    assert (view[0], supermarket.fixture_by_id[fixture].name in view[1], first.name in view[1]) == ("view", True, True)


def test_hidden_fields_and_labels_are_not_told(shown: Transcript) -> None:
    """Neither annotations nor rankings nor the labels of actions; a label is told where it was spoken, as a fault."""
    text = "\n".join(words for who, words in shown.dialogue if who not in {"rule", "assistant"}) + shown.briefing
    assert [word for word in ("secret", "Navigate", "Recommend", "expects", "QQ") if word in text] == []
    assert ("rule", "the assistant spoke marker labels: QQ") in shown.dialogue


def test_the_briefing_tells_errand_and_facts(shown: Transcript, task: Task, seen: tuple[str, Product, Product]) -> None:
    """The errand, and the facts of products that were named or inspected, and of no other."""
    _, first, other = seen
    assert task.private["goal"]["request"] in shown.briefing
    assert (f"- {first.name} " in shown.briefing, other.name in shown.briefing) == (True, False)


def test_the_reference_set_is_not_told(shown: Transcript, task: Task) -> None:
    """Which products would be right is no business of the judge."""
    assert [one for one in (*task.private["reference"], task.private["target"]) if one in shown.briefing] == []


def test_the_track_shows_judges_this_transcript(shown: Transcript, task: Task, supermarket: Scene) -> None:
    """The track's own transcript is this one, not core's, which would hold the hidden fields."""
    trace = episode(observed(1), said(1, utterance="Hello."), did(1))
    assert SituatedTrack().transcript(task, trace) == transcript(task, trace, supermarket)
