"""Plugins that are installed for one test: those of the template, whole or with one thing broken."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.origin import search_path

from recfw.cli.plugins_check import look
from recfw.cli.template import distribution_files

Check = Callable[..., list[dict[str, Any]]]
OTHERS = "books,litellm,orchestration,situated"
METADATA = """\
Metadata-Version: 2.1
Name: {dist}
Version: 0.1.0
Summary: A plugin
License: MIT
Requires-Dist: recfw<0.2,>=0.1

# A README
"""


def install(site: Path, name: str, kind: str, edits: dict[str, tuple[str, str]], metadata: str = METADATA) -> None:
    """Put a plugin of the template onto a path where it is found as installed, some texts of its files replaced."""
    made = distribution_files(name, kind, "the authors", "MIT", 2026)
    for path, (old, new) in edits.items():
        assert old in made[path]
        made[path] = made[path].replace(old, new)
    for path, text in made.items():
        if path.startswith("recfw_"):
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_text(text, encoding="utf-8")
    package = f"recfw_{name}"
    info = site / f"{package}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(metadata.format(dist=f"recfw-{name}"), encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[recfw]\n{name} = {package}.plugin\n", encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder from which every Python that is started imports, where no plugin but core is there."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", search_path(folder))
    monkeypatch.setenv("RECFW_DISABLE_PLUGINS", OTHERS)
    return folder


@pytest.fixture
def check(site: Path) -> Check:
    """Give what installs a plugin of the template, one thing in it changed, and returns what is found."""

    def run(kind: str, edits: dict[str, tuple[str, str]], metadata: str = METADATA, timeout: int = 100) -> Any:
        install(site, "wrong", kind, edits, metadata)
        return look("wrong", 50, 2, timeout)

    return run


def faults(found: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Return (section, subject, words) of what is wrong."""
    return [(each["section"], each["subject"], each["words"]) for each in found if each["state"] == "wrong"]
