"""From where processes that tests start import: the recfw that this process tests, whichever else is installed."""

import os
from pathlib import Path

import recfw

TESTS = Path(__file__).parents[1]


def search_path(*folders: str | Path) -> str:
    """
    Return a ``PYTHONPATH`` of these folders, behind the checkout's own core where that is what this process imported.

    An environment into which recfw was installed keeps testing what is installed; a private copy of the checkout, on
    the path before an editable installation of another one, tests the copy in every process.
    """
    core = TESTS.parent / "core"
    tested = Path(recfw.__file__).parents[1]
    own = [core] if core.is_dir() and tested.samefile(core) else []
    return os.pathsep.join(map(str, [*own, *folders]))
