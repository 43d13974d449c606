"""The registry.yaml of this repository says what its plugins are, as they are installed here."""

import json
from pathlib import Path

import pytest

from recfw.cli.main import invoke
from recfw.known import read_registry

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = ROOT / "registry.yaml"
OURS = sorted(path.parent.name for path in ROOT.glob("plugins/*/setup.cfg"))


@pytest.fixture(autouse=True)
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every installed plugin be loaded, whatever other tests of this process leave out."""
    for name in ("RECFW_DISABLE_PLUGINS", "RECFW_PLUGINS"):
        monkeypatch.delenv(name, raising=False)


def test_names_and_digests_are_those_that_are_installed(capsys: pytest.CaptureFixture[str]) -> None:
    """A digest that the tasks have left behind is mended by `recfw registry digest --write registry.yaml`."""
    assert (invoke(["registry", "check", str(REGISTRY), "--installed"]), capsys.readouterr().out) == (
        0,
        f"{REGISTRY}: {len(OURS)} plugins, no fault.\n",
    )
    assert invoke(["registry", "digest", "--json"]) == 0
    listed = read_registry(REGISTRY.read_text(encoding="utf-8"))
    told = {name: entry.task_sets for name, entry in sorted(listed.items()) if entry.task_sets}
    assert json.loads(capsys.readouterr().out) == told


@pytest.mark.parametrize("name", OURS)
def test_every_plugin_of_this_repository_has_an_entry(name: str) -> None:
    """It names a homepage that is there, and a digest for each track."""
    entry = read_registry(REGISTRY.read_text(encoding="utf-8"))[name]
    assert (ROOT / entry.homepage).is_file()
    assert list(entry.task_sets) == list(entry.provides.get("tracks", ()))
