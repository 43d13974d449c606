"""Opens the store that a run or a command needs; while the embedded world is built, a person is told so."""

from collections.abc import Callable
from pathlib import Path

from recfw.cli.output import chatter
from recfw_orchestration.data.store import Data
from recfw_orchestration.world.embedded import embedded_store


def open_told(path: Path | None) -> Data:
    """
    Open a store; None: the embedded world, which is built on first use, with a line to standard error for each part.

    Nothing is told under ``--quiet``. DataError where the file is no store, StoreError where the world cannot be kept.
    """
    return Data.open(path or embedded_store(building()))


def building() -> Callable[[str], None]:
    """Return what is told of each step of building (``part: what``), and passes on each part once."""
    said = set[str]()

    def told(step: str) -> None:
        part = step.partition(":")[0]
        if part not in said:
            said.add(part)
            chatter(f"Building the embedded world, once for this version (less than a minute): {part}")

    return told
