"""A generated plugin of each kind, built as a wheel, in an empty environment: its tests, its types, its check."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recfw.cli.template import KINDS, distribution_files

ROOT = Path(__file__).parents[2]
UV = [sys.executable, "-m", "uv"]


def run(*words: str | Path, cwd: Path) -> str:
    """Run a command; return what it printed."""
    kept = {n: v for n, v in os.environ.items() if not n.startswith(("RECFW_", "PYTEST_", "PYTHON"))}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=kept, capture_output=True, text=True)
    assert 0 == done.returncode, f"{words}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build core's wheel from a clean copy."""
    folder = tmp_path_factory.mktemp("core")
    ignored = shutil.ignore_patterns("*.egg-info", "__pycache__", "build")
    shutil.copytree(ROOT / "core", folder / "core", ignore=ignored)
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE", "registry.yaml"):
        shutil.copy(ROOT / name, folder / name)
    run(*UV, "build", "--quiet", "--wheel", "--out-dir", folder / "wheels", folder, cwd=folder)
    return next((folder / "wheels").glob("*.whl"))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", KINDS)
def test_it_works_as_generated(kind: str, core: Path, tmp_path: Path) -> None:
    """It builds, installs, passes its own tests, type checks strictly, and `recfw plugins check` finds nothing."""
    source, package = tmp_path / f"recfw-zz-{kind}", f"recfw_zz_{kind}"
    for path, text in distribution_files(f"zz-{kind}", kind, "the authors", "MIT", 2026).items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(text, encoding="utf-8")
    run(*UV, "build", "--quiet", "--wheel", "--out-dir", tmp_path / "wheels", source, cwd=tmp_path)
    wheel = next((tmp_path / "wheels").glob("*.whl"))
    run(*UV, "venv", "--quiet", "--python", sys.executable, tmp_path / "env", cwd=tmp_path)
    python = tmp_path / "env" / "bin" / "python"
    run(*UV, "pip", "install", "--quiet", "--python", python, core, f"{wheel}[test]", cwd=tmp_path)
    shutil.rmtree(source / "build", ignore_errors=True)
    # as tox.ini does: what is tested is what was installed
    shutil.copytree(source / "tests", tmp_path / "away" / "tests")
    run(python, "-m", "pytest", "-q", "tests", cwd=tmp_path / "away")
    run(python, "-m", "mypy", "--strict", package, cwd=source)
    assert "nothing wrong" in run(tmp_path / "env" / "bin" / "recfw", "plugins", "check", f"zz-{kind}", cwd=tmp_path)
