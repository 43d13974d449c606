"""Runs over small stores of one's own, made of data alone, that the tests here look at."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from attrs import frozen

sys.path.insert(0, str(Path(__file__).parent))  # --import-mode=importlib leaves sys.path alone

from recompute import read

from recfw.cli.main import invoke
from recfw_situated.scenes.files import DATA as SCENES

DATA = Path(__file__).parents[1] / "data"
AGENTS = {
    "corner_shop": ("index-guided", "silent", "claiming", "inventing", "forging", "labelling", "underpricing"),
    "lamp_shop": ("index-guided", "talk-only"),
    "supermarket": ("index-guided",),
}
SOME = ("s08.2", "s12.4", "s24.3")
"""Tasks that are played of the store that ships: what is bought rises through the lists, from place 10 to 1."""


def typed(*words):
    """Type a command where the liars are installed, and only there: other tests start processes that lack them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RECFW_PLUGINS", "situated_liars")
        return invoke(words)


@frozen
class Ran:
    """A stored run over a store of one's own: the store's folder, the database, tasks and trials as exported."""

    shop: str
    folder: Path
    store: str
    tasks: dict
    trials: dict

    def typed(self, *words):
        """Type a command as the run was typed."""
        return typed(*words)

    def figures(self):
        """Return the figures of the run's own report."""
        out = self.folder / "report.json"
        assert 0 == typed("report", "latest", "--store", self.store, "--format", "json", "--out", str(out))
        return json.loads(out.read_text(encoding="utf-8"))["figures"]

    def total(self, cell, figure):
        """Return a figure's sum over a cell's trials."""
        return sum(trial["scores"][figure] or 0.0 for (of, _), trial in self.trials.items() if of == cell)


def play(shop, place):
    """Copy a store, draw its tasks, and play them, each as somebody at a terminal would; some of the one that ships."""
    folder, store, out = place / "my-store", str(place / "runs.db"), str(place / "run.jsonl")
    agents = [word for name in AGENTS[shop] for word in ("--agent", name)]
    scene = shop
    if shop == "supermarket":
        shutil.copytree(SCENES / shop, folder)
        agents += [word for task in SOME for word in ("--tasks", task)]
    else:
        shutil.copytree(DATA / shop, folder)
        scene = str(folder)
        assert 0 == typed("situated", "generate", "--scene", scene, "--shoppers", "1")
        assert 0 == typed("situated", "validate", "--scene", scene)
    words = ["--plugin", "situated", "--set", f"track.scene={scene}", "--workers", "0", "--store", store, "-q"]
    words += ["--set", "limits.turns.agent=12"]
    assert 0 == typed("run", *words, *agents)
    assert 0 == typed("export", "latest", "--store", store, "--out", out)
    return Ran(shop, folder, store, *read(out))


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """Give a function that returns the run over a small store, played once."""
    kept = {}

    def run(shop):
        if shop not in kept:
            kept[shop] = play(shop, tmp_path_factory.mktemp(shop))
        return kept[shop]

    return run
