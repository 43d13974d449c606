"""Every link of every page leads somewhere."""

from pathlib import Path

import pytest
from pages import ROOT, anchors, links, pages


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    """Every relative link of a page names a file of the repository, and an anchor that the file has."""
    dead = []
    for path, anchor in links(page):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            dead.append(f"{path}#{anchor}" if anchor else path)
    assert [] == dead


def test_pages_are_reachable() -> None:
    """Every page under docs can be reached from docs/index.md by links."""
    start = ROOT / "docs" / "index.md"
    reached, waiting = {start}, [start]
    while waiting:
        page = waiting.pop()
        for path, _ in links(page):
            target = (page.parent / path).resolve() if path else page
            if target.suffix == ".md" and target.is_file() and target not in reached:
                reached.add(target)
                waiting.append(target)
    assert [] == [str(page) for page in pages() if page.is_relative_to(ROOT / "docs") and page not in reached]
