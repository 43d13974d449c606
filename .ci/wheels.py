"""Build wheels of distributions from clean copies: python .ci/wheels.py OUT FOLDER... (leftovers in build/ enter wheels otherwise)."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

IGNORED = shutil.ignore_patterns(
    ".git", ".tox", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".recfw", ".mypy_cache", ".ruff_cache",
    ".hypothesis", ".pytest_cache",
)  # fmt: skip


def main() -> None:
    """Build every distribution named on the command line into an emptied folder."""
    out, *folders = (Path(name).resolve() for name in sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "checkout"
        shutil.copytree(root, copy, symlinks=True, ignore=IGNORED)
        for folder in folders:
            source = copy / folder.relative_to(root)
            subprocess.run(["uv", "build", "--quiet", "--wheel", "--out-dir", str(out), str(source)], check=True)


if __name__ == "__main__":
    main()
