"""What tests of the documentation share: modules beside them, examples, and a ``recfw`` that starts at once."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "examples")]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home folder, whose caches all pages and processes share: a generated world is built once."""
    shared = tmp_path_factory.getbasetemp()
    folder = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "home"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return a PATH with this interpreter's commands, and a ``recfw`` that starts at once."""
    from warm import warm_recfw

    with warm_recfw(tmp_path_factory.mktemp("warm")) as first:
        yield os.pathsep.join([str(first), str(Path(sys.executable).parent), os.environ["PATH"]])
