"""What the tests of the data layer share: raw files in a scratch folder, imported."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from recfw_orchestration.data.importers.plan import plan
from recfw_orchestration.data.importers.run import import_files
from recfw_orchestration.data.store import Data


class Silent:
    """Hears of an import and says nothing."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def reading(self, path, done, size, lines) -> None:
        """Hear of a file."""

    def step(self, name) -> None:
        """Keep a step's name."""
        self.steps.append(name)


@pytest.fixture
def write(tmp_path) -> Callable[..., Path]:
    """Return a function that writes records (or ready lines) into a file of the folder ``raw``, and returns it."""

    def written(name: str, *records) -> Path:
        path = tmp_path / "raw" / name
        path.parent.mkdir(exist_ok=True)
        lines = [one if isinstance(one, bytes) else orjson.dumps(one) for one in records]
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    return written


@pytest.fixture
def imported(tmp_path) -> Callable[..., Data]:
    """Return a function that imports ``raw`` (or another path) as a family, and opens the store."""

    def made(family: str, path: Path | None = None, **options) -> Data:
        store = tmp_path / "store.db"
        import_files(plan({family: [path or tmp_path / "raw"]}), store, Silent(), **options)
        return Data.open(store)

    return made
