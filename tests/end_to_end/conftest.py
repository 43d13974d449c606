"""Wheels of a clean export, and empty virtual environments outside the checkout to install them in."""

import os
import shutil
import subprocess
import sys
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


@pytest.fixture(scope="session")
def export(tmp_path_factory):
    """Copy the checkout without what .gitignore names: git itself need not know it (an unpacked archive)."""
    folder = tmp_path_factory.mktemp("export") / "recfw"
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()]
    shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", *ignored))
    return folder


@pytest.fixture(scope="session")
def wheels(export, tmp_path_factory):
    """Build a wheel of every distribution from the export: name of the plugin, or ``core`` -> file."""
    built = {}
    for name, source in [("core", export), *((plugin, export / "plugins" / plugin) for plugin in PLUGINS)]:
        out = tmp_path_factory.mktemp(f"wheel-{name}")
        uv("build", "--quiet", "--wheel", "--out-dir", out, source)
        (built[name],) = out.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def place(wheels, tmp_path_factory):
    """Return a function that makes a place with core and these plugins installed from wheels."""

    def make(*plugins):
        environment = tmp_path_factory.mktemp("venv") / "venv"
        uv("venv", "--quiet", "--python", sys.executable, environment)
        files = [wheels[name] for name in ("core", *plugins)]
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
