"""SR, T, dialogue actions and slips on trajectories whose figures were computed by hand."""

import pytest
from trajectories import call, did, episode, neutral, observed, said, task, violation

from recfw.model.trace import Trace, WorldEvent
from recfw_situated.metrics.component import ACTS, SituatedConduct, SituatedFigures


def outcome(trace: Trace) -> tuple[float | None, ...]:
    """Return success, turns, turns to purchase."""
    found = SituatedFigures().score(task(), trace)
    return found["success"], found["turns"], found["turns_to_purchase"]


def conduct(trace: Trace) -> dict[str, float | None]:
    """Return the counts."""
    return dict(SituatedConduct().score(task(), trace))


def test_a_purchase_is_success_whatever_was_bought() -> None:
    """Anything in the final cart is success, and its turns are the turns to the purchase."""
    trace = episode(said(1), did(1), said(2), did(2, call("add_to_cart"), ("anything",)))
    assert outcome(trace) == (1.0, 2.0, 2.0)


def test_without_a_purchase_there_are_no_turns_to_it() -> None:
    """An empty cart is no success; the turns count all the same."""
    assert outcome(episode(said(1), did(1))) == (0.0, 1.0, None)


def test_a_turn_counts_once_if_any_record_of_it_exists() -> None:
    """Turn 2 has the assistant's half alone; an observation by itself is no turn."""
    assert outcome(episode(observed(1), said(1), did(1), observed(2), said(2), observed(3)))[1] == 2.0


def test_an_episode_that_never_began_has_no_turn() -> None:
    """A trace without world events scores 0 and not an error."""
    assert outcome(Trace()) == (0.0, 0.0, None)


def test_the_cart_of_the_closing_events_counts() -> None:
    """The cart is found wherever the trace last tells it."""
    ended = WorldEvent("ended", {"turn": 1, "reason": "success_cart_added", "cart": ["milk"], "recommends": 0})
    assert outcome(episode(said(1), did(1), ended))[0] == 1.0


def test_every_reply_has_one_dialogue_action() -> None:
    """Acts are counted by name; a neutral turn has none."""
    found = conduct(episode(said(1, "Greet"), did(1), said(2, "Navigate"), did(2), said(3, "Navigate"), neutral(4)))
    assert {act: found[f"act_{act}"] for act in ACTS if found[f"act_{act}"]} == {"Greet": 1.0, "Navigate": 2.0}


def test_the_ten_actions_are_the_papers() -> None:
    """Ten names, of which the paper counts Recommend as an attempt."""
    assert (len(ACTS), len(set(ACTS)), conduct(episode(said(1, "Recommend")))["recommends"]) == (10, 10, 1.0)


@pytest.mark.parametrize(("role", "figure"), [("assistant", "labels_assistant"), ("user", "labels_user")])
def test_spoken_labels_are_counted_by_role(role: str, figure: str) -> None:
    """Each label that was spoken counts."""
    found = conduct(episode(said(1), violation(1, role, "12", "B"), did(1), said(2), violation(2, role, "A1")))
    assert (found[figure], found["labels_assistant"] + found["labels_user"]) == (3.0, 3.0)  # type: ignore[operator]


def test_slips_are_counted() -> None:
    """Unannotated recommendations, refused actions and invalid turns, each by itself."""
    trace = episode(
        *(said(1, unannotated=["milk", "tea"]), did(1, call("turn", allowed=False))),
        *(neutral(2), did(2, neutral=True)),
    )
    names = ("unannotated", "actions_refused", "neutral_assistant", "neutral_user")
    assert [conduct(trace)[name] for name in names] == [2.0, 1.0, 1.0, 1.0]


def test_every_figure_is_named() -> None:
    """Both metrics give exactly the figures that they announce."""
    trace = episode(said(1), did(1))
    for metric in (SituatedFigures(), SituatedConduct()):
        assert set(metric.score(task(), trace)) == set(metric.figures)
