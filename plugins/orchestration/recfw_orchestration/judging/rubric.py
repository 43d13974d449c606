"""The rubric of this track, for any judge that takes one."""

from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from recfw.model.rubric import Rubric
from recfw.serialize import from_data

FILE = "orchestration.yaml"


@lru_cache(maxsize=1)
def rubric() -> Rubric:
    """Return the rubric ``orchestration``: which criteria are asked depends on the task's level."""
    text = files("recfw_orchestration").joinpath("rubrics", FILE).read_text(encoding="utf-8")
    data: Any = yaml.safe_load(text)
    return from_data(data, Rubric, FILE)
