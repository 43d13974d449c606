"""`recfw compare` as it is typed: runs of the fake tracks, what it shows, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.bench import Bench

from recfw.engine.request import RunRequest, build_spec
from recfw.errors import ExitCode
from recfw.model.run import TrialKey
from recfw.model.score import Score
from recfw.registry import Registry
from recfw.store.repository import Store
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]


@pytest.fixture(scope="module")
def stored(fakes_registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store with runs: two agents; one of them with another seed; another track."""
    bench = Bench(fakes_registry, tmp_path_factory.mktemp("compare"))
    two = RunRequest(track="fake-dialogue", roles={"agent": ("fake-asker", "fake-model")}, trials=2)
    bench.run(build_spec(fakes_registry, two), "two-agents")
    bench.run(bench.spec("fake-dialogue", "fake-asker", seed=1, tasks=("color=red",)), "seed-one")
    bench.run(bench.spec("fake-pictures"), "pictures")
    return Path(bench.place).read_bytes()


@pytest.fixture
def place(stored: bytes, tmp_path: Path) -> Path:
    """The store where `recfw` looks for it."""
    path = tmp_path / "runs.db"
    path.write_bytes(stored)
    return path


def figures(typed: Typed) -> dict[str, Any]:
    """Return the figures that were printed as JSON."""
    assert (typed.status, typed.err) == (ExitCode.DONE, "")
    found: dict[str, Any] = json.loads(typed.out)["figures"]
    return found


def told(typed: Typed) -> str:
    """Return what a refused command said, on one line."""
    assert (typed.status, typed.out) == (ExitCode.USAGE, "")
    return " ".join(typed.err.split())


@pytest.mark.usefixtures("place")
class TestShown:
    """What it shows."""

    def test_cells_of_one_run(self, recfw: Recfw) -> None:
        """The cells of a run are compared with one another, within 80 columns."""
        typed = recfw("compare", "two-agents")
        assert typed.status == ExitCode.DONE
        said = " ".join(typed.out.split())
        assert said.startswith("fake-dialogue: 2 arms compared by success Figure success, scored by fake-met@1.")
        assert "in 2 clusters (shape)" in said
        assert max(map(len, typed.out.splitlines())) <= 80

    def test_several_runs(self, recfw: Recfw) -> None:
        """Cells of several runs are compared on the tasks that both have, and all that differs is named."""
        found = figures(recfw("compare", "seed-one", "two-agents", "--format", "json"))
        assert [arm["name"] for arm in found["arms"]] == ["fake-asker (seed 0)", "fake-asker (seed 1)", "fake-model"]
        assert [one["n_tasks"] for one in found["contrasts"]] == [4, 8, 4]
        assert [one["what"] for one in found["differences"] if not one["compared"]] == [
            "seed",
            "trials",
            "tasks",
            "spec digest",
        ]

    def test_order_of_runs_does_not_matter(self, recfw: Recfw) -> None:
        """The same runs in another order give the same bytes."""
        first, second = recfw("compare", "seed-one", "two-agents"), recfw("compare", "two-agents", "seed-one")
        assert first.out == second.out != ""

    def test_figure_tasks_and_baseline(self, recfw: Recfw) -> None:
        """A figure, tasks and a baseline can be named."""
        words = ("--figure", "agent_turns", "--tasks", "color=red", "--baseline", "two-agents:fake-model")
        found = figures(recfw("compare", "two-agents", *words, "--format", "json"))
        assert (found["figure"], found["baseline"], found["unit"]) == ("agent_turns", "fake-model", None)
        assert [(one["first"], one["second"], one["n_tasks"]) for one in found["contrasts"]] == [
            ("fake-asker", "fake-model", 4)
        ]

    def test_newest_run_by_default(self, recfw: Recfw) -> None:
        """Without a run, the newest one is meant, which has a single cell here."""
        assert "run pictures has a single cell, so there is nothing to compare." in told(recfw("compare"))

    def test_written_to_a_file(self, recfw: Recfw, tmp_path: Path) -> None:
        """A file's ending tells the format, and nothing is printed."""
        typed = recfw("compare", "two-agents", "--out", "compared.json", "--all-pairs")
        assert (typed.status, typed.out) == (ExitCode.DONE, "")
        assert json.loads((tmp_path / "compared.json").read_text())["figures"]["tests"]["holm_over"] == 1


class TestRefused:
    """What it refuses, and what it says."""

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["two-agents", "pictures"], "runs of different tracks cannot be compared ('fake-dialogue': two-agents;"),
            (["two-agents", "--figure", "sucess"], "no figure 'sucess'"),
            (["two-agents", "--baseline", "fake-modle"], "Did you mean 'fake-model'?"),
            (["two-agents", "--baseline", "latest"], "no arm 'pictures'"),
            (["two-agents", "--baseline", ""], "--baseline is empty."),
            (["two-agents", "--tasks", "color=green"], "no task has color=green"),
            (["two-agents", "--set", "compare.level=0.1"], "analysis 'compare' has no option 'level'"),
            (["two-agents", "nowhere"], "no run 'nowhere'"),
        ],
    )
    @pytest.mark.usefixtures("place")
    def test_words(self, recfw: Recfw, words: list[str], said: str) -> None:
        """A wrong word is refused with status 2 and a sentence."""
        assert said in told(recfw("compare", *words))

    def test_figure_of_another_scorer(self, recfw: Recfw, place: Path) -> None:
        """A trial that was scored anew by another version is not compared with the others."""
        with Store.open(place) as store:
            trial = TrialKey("fake-model", "d0", 0)
            store.add_scores("two-agents", {(trial, 1): [Score("success", 0.0, "fake-met@2")]})
        said = told(recfw("compare", "two-agents"))
        assert "fake-met@1: fake-asker, fake-model; fake-met@2: fake-model" in said
        assert recfw("compare", "two-agents", "--figure", "agent_turns").status == ExitCode.DONE

    def test_no_store(self, recfw: Recfw) -> None:
        """Where nothing is stored, the store is named."""
        assert recfw("compare").status == ExitCode.STORE
