"""
Build wheels of this project's distributions from a clean copy and install them here: python .ci/install.py FOLDER...

tox would not reinstall local paths among an environment's dependencies, and what an earlier build left in build/ enters
wheels; so builds take place elsewhere. Nine environments install the same wheels: a wheel is kept in .tox/wheels under
the digest of what it was built from, and built again when that has changed. Wheels are named by path: nobody owns our
names on an index. What a folder's requirements.lock pins is installed first, by its hashes.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".tox" / "wheels"
UV = [sys.executable, "-m", "uv"]
IGNORED = (
    ".git", ".tox", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".recfw", ".mypy_cache", ".ruff_cache",
    ".hypothesis", ".pytest_cache", ".import_linter_cache",
)  # fmt: skip
BESIDE = (".benchmarks", ".ci", "benchmarks", "changelog.d", "docs", "fixtures", "plugins", "site", "tests")
"""Folders in which no file of the distribution beside them lies."""


def distribution(folder: Path) -> str:
    """Return the name in a folder's setup.cfg."""
    config = ConfigParser()
    config.read(folder / "setup.cfg", encoding="utf-8")
    return config["metadata"]["name"]


def left_out(folder: Path) -> Callable[[str, list[str]], Iterable[str]]:
    """Return what tells :func:`shutil.copytree` which of a folder's entries a distribution's wheel is built without."""
    anywhere = shutil.ignore_patterns(*IGNORED)
    return lambda place, names: anywhere(place, names) | (set(BESIDE) if Path(place) == folder else set())


def digest(folder: Path) -> str:
    """Return a digest of the names and the contents of a folder's files."""
    found = hashlib.sha256(f"Python {sys.version}\n".encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        found.update(f"{content} {path.relative_to(folder).as_posix()}\n".encode())
    return found.hexdigest()


def wheel(folder: Path) -> Path:
    """Return the wheel of a folder's distribution as it is now, built unless an environment has built it already."""
    with tempfile.TemporaryDirectory() as scratch:
        copy, built = Path(scratch) / "copy", Path(scratch) / "built"
        shutil.copytree(folder, copy, symlinks=True, ignore=left_out(folder))
        kept = KEPT / distribution(folder) / digest(copy)
        if not kept.is_dir():
            subprocess.run([*UV, "build", "--quiet", "--wheel", "--out-dir", built, copy], check=True)
            (made,) = built.glob("*.whl")
            keep(made, kept)
    (found,) = kept.glob("*.whl")
    return found


def keep(made: Path, kept: Path) -> None:
    """Put a wheel where it is looked for, instead of those of what the folder held before; others may do so too."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    for old in kept.parent.iterdir():
        shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as scratch:
        whole = Path(scratch) / "whole"
        whole.mkdir()
        shutil.copy2(made, whole)
        try:
            os.rename(whole, kept)  # noqa: PTH104 - fails where another process was quicker, with the same wheel
        except OSError:
            if not kept.is_dir():
                raise


def main() -> None:
    """Install the wheel of every distribution named on the command line."""
    folders = [Path(name).resolve() for name in sys.argv[1:]]
    with ThreadPoolExecutor(2) as builders:
        wheels = list(builders.map(wheel, folders))
    again = [word for folder in folders for word in ("--reinstall-package", distribution(folder))]
    target = ["--python", sys.executable]
    for lock in (folder / "requirements.lock" for folder in folders):
        if lock.is_file():
            subprocess.run([*UV, "pip", "install", "--quiet", *target, "--require-hashes", "-r", lock], check=True)
    subprocess.run([*UV, "pip", "install", "--quiet", *target, *again, *wheels], check=True)


if __name__ == "__main__":
    main()
