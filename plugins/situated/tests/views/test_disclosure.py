"""Spoken labels: detected on lines that the detector was developed on, and on lines that it was not."""

import json
from pathlib import Path

import pytest

from recfw_situated.scenes.load import load_scene
from recfw_situated.views.disclosure import spoken_labels
from recfw_situated.views.observe import Labeller

FIXTURES = Path(__file__).resolve().parents[4] / "fixtures"


def rows(half):
    """Return the labelled lines of a half."""
    return [json.loads(line) for line in (FIXTURES / f"situated_labels_{half}.jsonl").read_text().splitlines()]


def rates(half):
    """Return precision and recall of labels."""
    pairs = [(set(spoken_labels(row["text"], row.get("names", ()))), set(row["labels"])) for row in rows(half)]
    right = sum(len(found & truth) for found, truth in pairs)
    return right / sum(len(found) for found, _ in pairs), right / sum(len(truth) for _, truth in pairs)


@pytest.mark.parametrize(("half", "precision", "recall"), [("develop", 0.99, 0.94), ("test", 0.97, 0.88)])
def test_precision_and_recall_do_not_fall(half, precision, recall):
    """Figures of the labelled set are at least those that were measured; at least 200 lines a half, of both kinds."""
    lines = rows(half)
    assert len(lines) >= 200
    assert 50 < sum(bool(row["labels"]) for row in lines) < len(lines) - 50
    got = rates(half)
    assert (got[0] >= precision, got[1] >= recall) == (True, True), got


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Take item 12.", ["12"]),
        ("It stands at (B).", ["B"]),
        ("See marker 3.", ["3"]),
        ("It holds 12 oz.", []),
        ("It has vitamin A.", []),
        ("It costs $5.", []),
        ("Walk to a2 or 1b.", ["A2", "1b"]),
        ("", []),
    ],
)
def test_the_plain_cases_are_told_apart(text, labels):
    """The examples of the rule are decided as it says."""
    assert spoken_labels(text) == labels


def test_names_may_be_spoken_whatever_they_hold():
    """A product's name that looks like a label is none."""
    assert spoken_labels("Try the A1 Sauce.", ["A1 Sauce"]) == []


@pytest.mark.parametrize("name", ["supermarket", "furnishings"])
def test_no_name_of_a_scene_is_taken_for_a_label(name):
    """Every product, fixture, store and area can be spoken of by its name."""
    names = Labeller(load_scene(name)).names()
    assert [found for found in (spoken_labels(f"I would suggest {n}.", names) for n in names) if found] == []
