"""A stored run of two cells, and its bundle."""

import shutil
from pathlib import Path

import pytest
from fakes.bench import Bench
from fakes.bundling import bundle_of

from recfw.engine.request import RunRequest, build_spec
from recfw.registry import Registry


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory, fakes_registry: Registry) -> Bench:
    """A bench with the finished run ``r1``: an agent of code, and one that replay may not run."""
    bench = Bench(fakes_registry, tmp_path_factory.mktemp("submission"), concurrency=1)
    asked = RunRequest(track="fake-dialogue", roles={"agent": ("fake-asker", "fake-model")}, trials=2)
    bench.run(build_spec(fakes_registry, asked), "r1")
    return bench


@pytest.fixture(scope="session")
def whole(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run's bundle; not to be altered."""
    path = tmp_path_factory.mktemp("bundles") / "whole.tar"
    bundle_of(bench.registry, Path(bench.place), path)
    return path


@pytest.fixture
def place(bench: Bench, tmp_path: Path) -> Path:
    """A copy of the store, to be altered."""
    return Path(shutil.copy(bench.place, tmp_path / "copy.db"))
