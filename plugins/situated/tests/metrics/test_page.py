"""The worked example of docs/explanation/situated.md, recomputed."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from trajectories import call, did, episode, goal, neutral, observed, said, task

from recfw_situated.analysis.spread import mean_of
from recfw_situated.metrics.component import SituatedConduct, SituatedFigures

PAGE = Path(__file__).resolve().parents[4] / "docs" / "explanation" / "situated.md"


@pytest.fixture(scope="module")
def text() -> str:
    """The page."""
    return PAGE.read_text(encoding="utf-8")


def action(words: str) -> dict[str, Any]:
    """Return an action written as its name and a target or direction."""
    name, _, rest = words.partition(" ")
    return call(name, direction=rest) if rest in {"left", "right"} else call(name, rest or None)


def figures(text: str) -> dict[str, float | None]:
    """Return all figures of the example."""
    found = re.search(r"<!-- example -->\n```yaml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    example = yaml.safe_load(found[1])
    events = []
    last = len(example["turns"])
    for number, turn in enumerate(example["turns"], 1):
        events.append(observed(number, *(f"fixture:{name}" for name in turn["view"])))
        if turn.get("invalid"):
            events.append(neutral(number))
        else:
            named = goal("fixture", turn["goal"]) if "goal" in turn else None
            ranking = [f"?{name}" if name == "wildcard" else name for name in turn["ranking"]]
            events.append(said(number, turn["act"], action(turn["expects"]), goal=named, ranking=ranking))
        events.append(did(number, action(turn["does"]), tuple(example["end"]["cart"]) if number == last else ()))
    events.append(observed(last + 1, *(f"fixture:{name}" for name in example["end"]["view"]), final=True))
    trace, of = episode(*events), task(reference=tuple(example["reference"]))
    return {**SituatedFigures().score(of, trace), **SituatedConduct().score(of, trace)}


def test_the_table_is_what_the_example_gives(text: str) -> None:
    """Every value of the page's table, to three decimals."""
    told = {name: float(value) for name, value in re.findall(r"^\| (\w+) \| ([\d.]+) \| ", text, re.MULTILINE)}
    found = figures(text)
    assert len(told) == 12
    assert {name: round(found[name] or 0.0, 3) for name in told} == told


def test_the_example_of_a_spread(text: str) -> None:
    """Four subset means as the page shows them."""
    shown = mean_of({"1": [64.0], "2": [72.0], "3": [60.0], "4": [80.0]}).words()
    assert f"subset means of 64, 72, 60 and 80 per cent are shown as {shown}" in text


def test_every_figure_of_the_definitions_exists(text: str) -> None:
    """Names in the table of definitions are figures that the metrics give."""
    table = text.partition("| figure | name in scores |")[2].partition("\n\n")[0]
    cells = [line.split("|")[2] for line in table.replace("\\|", "/").splitlines()[2:]]
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert named <= {*SituatedFigures.figures, *SituatedConduct.figures}
    assert len(named) == 16
