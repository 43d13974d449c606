"""The changelog's fragments are named and worded as changelog.d/README.md asks."""

import configparser
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from pages import ROOT

FOLDER = ROOT / "changelog.d"
FRAGMENTS = sorted(path for path in FOLDER.iterdir() if path.suffix == ".md" and path.name != "README.md")


def _distributions() -> set[str]:
    """Return the names of the repository's distributions."""
    names = set()
    for path in (ROOT / "setup.cfg", *sorted((ROOT / "plugins").glob("*/setup.cfg"))):
        parser = configparser.ConfigParser()
        parser.read(path, encoding="utf-8")
        names.add(parser["metadata"]["name"])
    return names


def _types() -> set[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    return {kind["directory"] for kind in settings["type"]}


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_fragments_are_named_and_worded(path: Path) -> None:
    """A fragment is ``<distribution>.<slug>.<type>.md``, and its text begins with the distribution and a colon."""
    distribution, slug, kind = path.stem.split(".")
    text = path.read_text(encoding="utf-8")
    assert distribution in _distributions()
    assert slug == slug.lower().strip("-")
    assert kind in _types()
    assert text.startswith(f"{distribution}: ")
    assert text.endswith(".\n")
    assert len(text.splitlines()) == 1


def test_towncrier_takes_every_fragment() -> None:
    """towncrier finds no file that it cannot place, and prints every fragment's text."""
    done = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9", "--date", "2026-01-01"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    assert [] == [path.name for path in FRAGMENTS if path.read_text(encoding="utf-8").strip() not in done.stdout]


def test_nothing_else_lies_in_the_folder() -> None:
    """The folder holds fragments, their template and a README, and no file that towncrier would pass over."""
    others = {path.name for path in FOLDER.iterdir()} - {path.name for path in FRAGMENTS}
    assert {"README.md", "template.jinja"} == others
