"""The worked examples of docs/explanation/orchestration.md, recomputed from what the page says."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from recfw_orchestration.metrics.component import BY_LEVEL, OrchestrationConduct, OrchestrationFigures
from recfw_orchestration.rollout.budget import DEFAULTS
from recfw_orchestration.tasks.records import Allowed, Edge
from recfw_orchestration.taxonomy import ERRORS, NONE

PAGE = Path(__file__).resolve().parents[4] / "docs" / "explanation" / "orchestration.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES: list[dict[str, Any]] = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)]


def allowed(words: dict[str, Any]) -> Allowed:
    """Return an allowed value as the page writes it: its kind, its value, perhaps a tolerance."""
    kind = next(iter(words))
    return Allowed((words[kind],), kind, words.get("tolerance", 0.0), words.get("optional", False))  # type: ignore[arg-type]  # the page's word


def told(example: dict[str, Any], made: Any) -> tuple[Any, Any]:
    """Return an example's task and trace."""
    calls = [
        made.gold(
            f"c{number}",
            one["tool"],
            *(Edge(**edge) for edge in one.get("after", ())),
            **{name: allowed(words) for name, words in one["arguments"].items()},
        )
        for number, one in enumerate(example["gold"], start=1)
    ]
    task = made.task(example["level"], *calls, target=example["target"], candidates=["A", "B", "C", "B1", "B2"])
    rounds = []
    seen: set[str] = set()
    for sent in example["rounds"]:
        rounds.append([])
        for one in sent:
            ids = one.get("items", [])
            known = not one.get("unknown")
            content = one["error"] if "error" in one else made.items(*ids)
            rounds[-1].append(
                made.sent(
                    one["tool"],
                    one["arguments"],
                    content,
                    error="error" in one,
                    known=known,
                    fits=known and not one.get("misfit"),
                    new=len(set(ids) - seen),
                )
            )
            seen.update(ids)
    return task, made.trace(*rounds, ranking=example["ranking"])


def test_the_page_has_an_example_of_each_level_with_all_its_figures() -> None:
    """None is left out."""
    assert {one["level"]: tuple(one["figures"]) for one in EXAMPLES} == BY_LEVEL


@pytest.mark.parametrize("example", EXAMPLES, ids=[one["level"] for one in EXAMPLES])
def test_the_worked_example_is_what_the_metrics_compute(example: dict[str, Any], made: Any) -> None:
    """Every figure, error and point that the page states."""
    task, trace = told(example, made)
    figures, conduct = OrchestrationFigures().score(task, trace), OrchestrationConduct().score(task, trace)
    assert {name: figures[name] for name in example["figures"]} == pytest.approx(example["figures"], abs=5e-5)
    assert [name for name in (*ERRORS, NONE) if conduct[name] == 1.0] == example["errors"]
    points = example.get("points", {})
    assert {name: conduct[name] for name in points} == pytest.approx(points)


def test_the_pages_limits_are_the_defaults() -> None:
    """Rounds, calls and tokens of each level."""
    rows = re.findall(r"\| (L\d) \| [^|]+ \| (\d+) \| (\d+) \| ([\d,]+) \|", TEXT)
    assert {
        level: (int(rounds), int(calls), int(tokens.replace(",", ""))) for level, rounds, calls, tokens in rows
    } == {level: (limit.rounds, limit.calls, limit.tokens) for level, limit in DEFAULTS.items()}
