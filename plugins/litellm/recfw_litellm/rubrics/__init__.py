"""Rubrics for tracks that have none of their own, and reading one from a file."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from recfw.errors import DataError
from recfw.model.rubric import Rubric
from recfw.serialize import from_data


def general() -> Rubric:
    """Return the rubric of this plugin: what can be asked of any dialogue with a recommender."""
    return read_rubric(files(__name__).joinpath("general.yaml").read_text(encoding="utf-8"), "general.yaml")


def rubric_file(path: str) -> Rubric:
    """Return the rubric of a YAML file; DataError where it cannot be read or is none."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: the rubric cannot be read ({error}).") from error
    return read_rubric(text, path)


def read_rubric(text: str, where: str) -> Rubric:
    """
    Return a rubric from YAML: ``name``, ``instructions``, perhaps ``version`` and ``evaluations``, and ``criteria``,
    each with ``name``, ``question``, ``anchors`` (point -> words), and perhaps ``low`` and ``high`` (1 and 5) and
    ``where`` (facet -> values of the tasks that it is asked of).

    Raises:
        DataError: It is no YAML, or no such rubric, or names one criterion twice or none.
    """
    try:
        data: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DataError(f"{where}: no valid YAML ({' '.join(str(error).split())}).") from error
    if not isinstance(data, dict):
        raise DataError(f"{where}: a rubric is a mapping with name, instructions and criteria.")
    rubric = from_data(data, Rubric, where)
    names = [criterion.name for criterion in rubric.criteria]
    if not names or len(set(names)) < len(names):
        raise DataError(f"{where}: a rubric has at least one criterion, and each has a name of its own.")
    return rubric
