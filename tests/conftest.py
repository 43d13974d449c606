"""What every test of core sees: core and the fake tracks, whatever else is installed; and folders of its own."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import settings

from recfw.plugins import build_manager
from recfw.registry import Registry

TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS))  # --import-mode=importlib leaves sys.path alone, and the fakes are imported by name

settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def fakes_environment(*modules: str) -> dict[str, str]:
    """Return the variables with which recfw, in any process, sees core, the fakes and these modules alone."""
    from fakes.origin import search_path

    others = sorted({entry.name for entry in entry_points(group="recfw")} - {"core"})
    return {
        "RECFW_PLUGINS": ",".join(["fakes.plugin", *modules]),
        "RECFW_DISABLE_PLUGINS": ",".join(others),
        "PYTHONPATH": search_path(TESTS),
    }


@pytest.fixture(scope="session", autouse=True)
def only_fakes() -> Iterator[None]:
    """Let every test, and every process that it starts, see core and the fakes alone."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in fakes_environment().items():
            patch.setenv(name, value)
        patch.delenv("RECFW_STORE", raising=False)
        patch.delenv("COLUMNS", raising=False)  # tox hands on its terminal's: lines would be wrapped there and not here
        yield


@pytest.fixture(scope="session")
def fakes_registry() -> Registry:
    """What core and the fakes offer."""
    return Registry(build_manager(fakes_environment()))


@pytest.fixture(scope="session")
def trouble_registry() -> Registry:
    """What core, the fakes and the components that make trouble offer."""
    return Registry(build_manager(fakes_environment("fakes.trouble")))


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let processes see the components that make trouble; return the folder in which they leave notes."""
    for name, value in fakes_environment("fakes.trouble").items():
        monkeypatch.setenv(name, value)
    notes = tmp_path / "notes"
    notes.mkdir()
    monkeypatch.setenv("FAKES_NOTES", str(notes))
    return notes


@pytest.fixture
def write_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """
    A function that installs a plugin of one module: on sys.path, with a dist-info that names its entry point.

    Give the entry point's name and the module's source; get the module's name.
    """
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def write(name: str, source: str, distribution: str = "", version: str = "1.0") -> str:
        module = re.sub(r"\W", "_", f"{distribution or name}_{tmp_path.parent.name}_{tmp_path.name}")
        (site / f"{module}.py").write_text(source)
        if distribution:
            info = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
            (info / "entry_points.txt").write_text(f"[recfw]\n{name} = {module}\n")
        return module

    return write
