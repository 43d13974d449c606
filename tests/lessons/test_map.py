"""README.md says which test answers for which lesson: nothing in it is made up, and nothing is left out."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NAMED = re.compile(r"`(?P<path>[\w/.-]+\.py)::(?P<test>\w+)`")
LESSONS = ROOT.parent / "shared" / "LESSONS.md"


def named() -> list[tuple[Path, str]]:
    """Return (file, test) of every test that the map names."""
    found = []
    for match in NAMED.finditer((HERE / "README.md").read_text(encoding="utf-8")):
        path = match["path"]
        found.append((ROOT / path if "/" in path else HERE / path, match["test"]))
    return found


def defined_in(path: Path) -> set[str]:
    """Return the names of the tests that a file defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {node.name for node in nodes if node.name.startswith("test_")}


def test_every_test_that_is_named_exists() -> None:
    """Each file that the map names is there, and defines the tests that are named."""
    assert len(named()) > 60
    missing = [f"{path}::{test}" for path, test in named() if not path.exists() or test not in defined_in(path)]
    assert missing == []


def test_every_test_here_is_named() -> None:
    """Each test in this folder answers for a line of the map."""
    here = {(path, test) for path in HERE.glob("test_*.py") if path != Path(__file__) for test in defined_in(path)}
    assert here - set(named()) == set()


def tags(text: str) -> set[str]:
    """Return the issues that a text names, such as I#4933; of a list such as I#1375, #2249, those with a letter."""
    return set(re.findall(r"[A-Za-z][\w-]*#\d+", text))


def test_every_issue_has_a_line() -> None:
    """Each issue that the lessons name is in the map."""
    if not LESSONS.parent.exists():
        pytest.skip("the lessons are not here")
    assert tags(LESSONS.read_text(encoding="utf-8")) - tags((HERE / "README.md").read_text(encoding="utf-8")) == set()
