"""`.ci/floor.py`: plugins against the oldest core that they declare, in a repository made for the purpose."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = '[build-system]\nrequires = ["setuptools>=75"]\nbuild-backend = "setuptools.build_meta"\n'
CORE = """\
[metadata]
name = recfw
version = {version}

[options]
package_dir = =core
packages = recfw
"""
PLUGIN = """\
[metadata]
name = recfw-{name}
version = 0.1.0

[options]
packages = recfw_{name}
install_requires =
    recfw>=0.1,<0.3

[options.entry_points]
recfw =
    {name} = recfw_{name}
"""
TOX = """\
[test]
deps =
    pytest>=8.3

[testenv:{name}]
commands_pre =
    python .ci/install.py . plugins/{name}
"""
TEST = """\
from importlib.metadata import version

import recfw_{name}


def test_it_works():
    assert (version("recfw"), recfw_{name}.VALUE) == ("0.1.0", 1)
"""


def git(repository, *words):
    """Run git, as somebody who has a name."""
    named = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *named, *words], cwd=repository, check=True, capture_output=True)


def write(place, text):
    """Write a file and the folders above it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


@pytest.fixture
def repository(tmp_path):
    """Give a repository whose core has gained ``fresh`` since 0.1.0, and two plugins: one of them uses it."""
    write(tmp_path / ".ci" / "floor.py", (ROOT / ".ci" / "floor.py").read_text(encoding="utf-8"))
    write(tmp_path / "pyproject.toml", f"{BUILD}\n[tool.pytest.ini_options]\n")
    write(tmp_path / "setup.cfg", CORE.format(version="0.1.0"))
    write(tmp_path / "core" / "recfw" / "__init__.py", "old = 1\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "0.1.0")
    write(tmp_path / "setup.cfg", CORE.format(version="0.2.0"))
    write(tmp_path / "core" / "recfw" / "__init__.py", "old = fresh = 1\n")
    for name, used in (("ahead", "fresh"), ("sound", "old")):
        folder = tmp_path / "plugins" / name
        write(folder / "setup.cfg", PLUGIN.format(name=name))
        write(folder / "pyproject.toml", BUILD)
        write(folder / f"recfw_{name}" / "__init__.py", f"from recfw import {used} as VALUE\n")
        write(folder / "tests" / f"test_{name}.py", TEST.format(name=name))
    write(tmp_path / "tox.ini", TOX.format(name="ahead") + TOX.format(name="sound").partition("\n\n")[2])
    return tmp_path


def floor(repository, *plugins):
    """Run the check of these plugins."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON", "RECFW_"))}
    words = [sys.executable, repository / ".ci" / "floor.py", *(f"plugins/{name}" for name in plugins)]
    return subprocess.run(words, cwd=repository, env=kept, capture_output=True, text=True, timeout=300)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_a_plugin_that_needs_more_than_it_declares_is_named(repository):
    """The tests of both run with the core of the tag: one passes, and of the other plugin, core and floor are named."""
    git(repository, "tag", "v0.1.0")
    done = floor(repository, "ahead", "sound")
    assert done.returncode == 1
    first, then = done.stdout.split("floor: sound against core v0.1.0")
    assert "cannot import name 'fresh' from 'recfw'" in first
    assert "1 passed" in then
    assert "floor: the plugin 'ahead' declares recfw>=0.1; against core v0.1.0 its tests fail.\n" in done.stderr
    assert "'sound'" not in done.stderr


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
@pytest.mark.parametrize(
    ("requires", "words"),
    [
        ("recfw>=0.1,<0.3", "there is no tag v0.1 in this checkout (tags: v9.9).\nFetch them (git fetch --tags)"),
        ("recfw", "sound/setup.cfg: install_requires names no oldest core; write recfw>=X,<Y."),
    ],
)
def test_a_floor_that_cannot_be_built_fails_at_once(repository, requires, words):
    """Without the tag, or an oldest core, nothing is built and nothing passes."""
    git(repository, "tag", "v9.9")
    config = repository / "plugins" / "sound" / "setup.cfg"
    config.write_text(config.read_text(encoding="utf-8").replace("recfw>=0.1,<0.3", requires), encoding="utf-8")
    done = floor(repository, "sound")
    assert (done.returncode, done.stdout, words in done.stderr) == (1, "", True)
