"""The rubric ``dialogue``: the paper's seven dimensions of dialogue quality, for any judge that takes a rubric."""

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from recfw.model.rubric import Rubric
from recfw.serialize import from_data

FILE = "dialogue.yaml"
DIMENSIONS = {
    "overall_satisfaction": "Overall",
    "informativeness": "Inform.",
    "naturalness": "Natur.",
    "groundedness": "Ground.",
    "preference_alignment": "Prefer.",
    "proactiveness": "Proact.",
    "non_repetition": "Nonrep.",
}
"""Criterion -> what the paper's tables call it, in the order of its tables 4 and 5."""


@cache
def rubric() -> Rubric:
    """Return the rubric."""
    text = files("recfw_situated").joinpath("rubrics", FILE).read_text(encoding="utf-8")
    data: Any = yaml.safe_load(text)
    return from_data(data, Rubric, FILE)
