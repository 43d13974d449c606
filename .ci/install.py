"""
Build wheels of this project's distributions from a clean copy and install them here: python .ci/install.py FOLDER...

tox would not reinstall local paths among an environment's dependencies, and what an earlier build left in build/ enters
wheels; so every run builds afresh, elsewhere. Wheels are named by path: nobody owns our names on an index. What a
folder's requirements.lock pins is installed first, by its hashes.
"""

import shutil
import subprocess
import sys
import tempfile
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IGNORED = (
    ".git", ".tox", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".recfw", ".mypy_cache", ".ruff_cache",
    ".hypothesis", ".pytest_cache",
)  # fmt: skip


def distribution(folder: Path) -> str:
    """Return the name in a folder's setup.cfg."""
    config = ConfigParser()
    config.read(folder / "setup.cfg", encoding="utf-8")
    return config["metadata"]["name"]


def main() -> None:
    """Build and install every distribution named on the command line."""
    folders = [Path(name).resolve() for name in sys.argv[1:]]
    uv = [sys.executable, "-m", "uv"]
    with tempfile.TemporaryDirectory() as scratch:
        copy, wheels = Path(scratch) / "checkout", Path(scratch) / "wheels"
        shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(*IGNORED))
        for folder in folders:
            source = copy / folder.relative_to(ROOT)
            subprocess.run([*uv, "build", "--quiet", "--wheel", "--out-dir", wheels, source], check=True)
        again = [word for folder in folders for word in ("--reinstall-package", distribution(folder))]
        target = ["--python", sys.executable]
        for lock in (folder / "requirements.lock" for folder in folders):
            if lock.is_file():
                subprocess.run([*uv, "pip", "install", "--quiet", *target, "--require-hashes", "-r", lock], check=True)
        subprocess.run([*uv, "pip", "install", "--quiet", *target, *again, *sorted(wheels.glob("*.whl"))], check=True)


if __name__ == "__main__":
    main()
