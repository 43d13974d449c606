"""What the tests of models share: a stub provider, litellm imported once, and core's fake tracks."""

import os
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import settings

from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.testing.provider.fixture import provider  # noqa: F401 - a fixture
from recfw_litellm.transports.litellm import load

ROOT = Path(__file__).resolve().parents[3]
FAKES = ROOT / "tests"
# --import-mode=importlib leaves sys.path alone, and the fakes are imported by name
sys.path[:0] = [str(FAKES), str(Path(__file__).parent), str(ROOT / "benchmarks")]

settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of whoever runs the tests is sent anywhere, and no setting of theirs steers recfw."""
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name.startswith(("RECFW_", "LITELLM_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("RECFW_PLUGINS", "fakes.plugin")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(FAKES), os.environ.get("PYTHONPATH")))))


@pytest.fixture(scope="session")
def library():
    """Litellm itself, whose import takes seconds and warns of other people's code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load()


@pytest.fixture(scope="session")
def registry() -> Registry:
    """What core, the installed plugins and the fake tracks offer."""
    return Registry(build_manager({"RECFW_PLUGINS": "fakes.plugin"}))


@pytest.fixture
def model():
    """A stub that plays the agent of the fake dialogue, and that can be told to go wrong."""
    from faults_runs import Model

    with Model() as playing:
        yield playing


@pytest.fixture
def runs(model, tmp_path):
    """A folder with a store, in which runs against that stub are typed, straight to the endpoint."""
    from faults_runs import Runs

    return Runs(tmp_path / "runs", model.stub.url)
