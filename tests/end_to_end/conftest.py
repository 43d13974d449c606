"""Wheels of a clean export, and empty virtual environments outside the checkout to install them in."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import frozen

from recfw.testing.project import hear_interrupts

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = sorted(path.parent.name for path in ROOT.glob("plugins/*/setup.cfg"))


def uv(*words, **more):
    """Run uv, its output shown only when it fails."""
    done = subprocess.run([sys.executable, "-m", "uv", *map(str, words)], capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stderr


@frozen
class Place:
    """A virtual environment and an empty folder to work in."""

    environment: Path
    folder: Path

    def run(self, *words, seconds=300):
        """Run a program of the environment in the folder, with nothing of ours in the environment variables."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        program = self.environment / "bin" / words[0]
        return subprocess.run(
            [program, *words[1:]], cwd=self.folder, env=kept, capture_output=True, text=True, timeout=seconds
        )

    def start(self, *words):
        """Start a program of the environment in the folder."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        program = self.environment / "bin" / words[0]
        return subprocess.Popen(
            [program, *words[1:]],
            cwd=self.folder,
            env=kept,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=hear_interrupts,
        )


@frozen
class Wheels(Mapping):
    """
    A wheel of every distribution: name of the plugin, or ``core`` -> file.

    Each is built from one clean export when it is first asked for, by whichever of pytest's processes asks; the others
    find it there.

    Args:
        folder: What all processes of this session share.
    """

    folder: Path

    @contextmanager
    def _alone(self, name):
        """Let one process at a time in."""
        with (self.folder / f"{name}.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _export(self):
        """Copy the checkout without what .gitignore names: git itself need not know it (an unpacked archive)."""
        ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()]
        export = self.folder / "export"
        with self._alone("export"):
            if not export.exists():
                shutil.copytree(ROOT, export, symlinks=True, ignore=shutil.ignore_patterns(".git", *ignored))
        return export

    def __getitem__(self, name):
        if name not in ("core", *PLUGINS):
            raise KeyError(name)
        source, out = self._export(), self.folder / f"wheel-{name}"
        with self._alone(name):
            if not list(out.glob("*.whl")):
                source = source if name == "core" else source / "plugins" / name
                uv("build", "--quiet", "--wheel", "--out-dir", out, source)
        (built,) = out.glob("*.whl")
        return built

    def __iter__(self):
        return iter(("core", *PLUGINS))

    def __len__(self):
        return 1 + len(PLUGINS)


@pytest.fixture(scope="session")
def wheels(tmp_path_factory):
    """Wheels of a clean export."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "wheels"
    folder.mkdir(exist_ok=True)
    return Wheels(folder)


@pytest.fixture(scope="session")
def place(wheels, tmp_path_factory):
    """Return a function that makes a place with core and these plugins installed from wheels, and whatever else."""

    def make(*plugins, also=()):
        environment = tmp_path_factory.mktemp("venv") / "venv"
        uv("venv", "--quiet", "--python", sys.executable, environment)
        files = [*(wheels[name] for name in ("core", *plugins)), *also]
        uv("pip", "install", "--quiet", "--python", environment / "bin" / "python", *files)
        return Place(environment, tmp_path_factory.mktemp("work"))

    return make


@pytest.fixture(scope="session")
def core_alone(place):
    """Core, installed without any plugin."""
    return place()


@pytest.fixture(scope="session")
def with_books(place):
    """Core and the books plugin."""
    return place("books")


@pytest.fixture(scope="session")
def with_movies(place, tmp_path_factory):
    """Core, the example of a stranger's track, which is no plugin of this repository, and pytest for its own tests."""
    source, out = tmp_path_factory.mktemp("movies") / "movies", tmp_path_factory.mktemp("wheel-movies")
    leftovers = shutil.ignore_patterns("build", "*.egg-info", ".*_cache", "__pycache__")
    shutil.copytree(ROOT / "docs" / "examples" / "movies", source, ignore=leftovers)
    uv("build", "--quiet", "--wheel", "--out-dir", out, source)
    there = place(also=[*out.glob("*.whl"), "pytest>=8.3"])
    shutil.copytree(source / "tests", there.folder / "tests")
    return there
