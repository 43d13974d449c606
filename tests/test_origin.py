"""A copy of the checkout tests itself: its processes import what the tests import."""

import shutil
import subprocess
import sys
from pathlib import Path

import recfw

TESTS = Path(__file__).parent
CHILD = """
import subprocess, sys
import recfw

def test_child():
    code = "import recfw; print(recfw.__file__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == recfw.__file__
    assert recfw.__file__.startswith({start!r})
"""


def copied(folder: Path, start: Path, **environ: str) -> str:
    """Run a test that starts a process, below a copy of what every test sees; return pytest's last line."""
    for name in ("conftest.py", "fakes/__init__.py", "fakes/origin.py"):
        (folder / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TESTS / name, folder / "tests" / name)
    (folder / "tests" / "test_child.py").write_text(CHILD.format(start=str(start)))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "tests"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env={**environ, "PATH": "/usr/bin:/bin"})
    return done.stdout.splitlines()[-1]


def find_installed() -> str:
    """Return the folder from which a process with no variables imports recfw."""
    code = "import recfw; print(recfw.__path__[0])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/", env={})
    return done.stdout.strip()


def test_processes_of_a_copy_import_the_copy(tmp_path: Path) -> None:
    """Where the copy's core is what the tests import, so it is in the processes that they start."""
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "recfw").symlink_to(Path(recfw.__file__).parent)
    assert copied(tmp_path, tmp_path, PYTHONPATH=str(tmp_path / "core")).startswith("1 passed")


def test_an_installed_recfw_is_not_shadowed(tmp_path: Path) -> None:
    """Where recfw was imported from elsewhere, the core beside the tests is not put before it."""
    (tmp_path / "core" / "recfw").mkdir(parents=True)
    (tmp_path / "core" / "recfw" / "__init__.py").write_text("")
    assert copied(tmp_path, Path(find_installed())).startswith("1 passed")
