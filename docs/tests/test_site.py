"""The site holds every page, its links and anchors resolve, it loads nothing from a network, and mistakes stop it."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from markdown_it import MarkdownIt
from pages import ROOT

COUNTED = {"blockquote", "h1", "h2", "h3", "li", "ol", "pre", "table", "td", "ul"}
LOADING = {("img", "src"), ("link", "href"), ("script", "src"), ("iframe", "src"), ("source", "src")}
IN_SITE = [
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if not {"tests", ".pytest_cache"} & set(path.parts)),
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *sorted(ROOT.glob("plugins/*/README.md")),
    *sorted(ROOT.glob("fixtures/*.md")),
]  # fmt: skip


class Read(HTMLParser):
    """What a page of the site holds: ids, links, what it loads, and how often each element stands in its article."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.elements: Counter[str] = Counter()
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element in."""
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given["id"]} if "id" in given else set()
        self._inside |= tag == "article"
        self.elements[tag] += self._inside and tag in COUNTED
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.loads += [value for name, value in given.items() if (tag, name) in LOADING]

    def handle_endtag(self, tag: str) -> None:
        """Notice where the article ends."""
        self._inside &= tag != "article"


def _build(root: Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(root / "docs" / "build_site.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built once."""
    folder = tmp_path_factory.mktemp("site")
    done = _build(ROOT, folder)
    assert (0, f"{folder / 'index.html'}\n", "") == (done.returncode, done.stdout, done.stderr)
    return folder


@pytest.fixture(scope="module")
def read(site: Path) -> dict[Path, Read]:
    """Return the pages of the site as they were read."""
    return {path: Read(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def _place(site: Path, page: Path) -> Path:
    """Return where a page of the repository stands in the site."""
    name = page.relative_to(ROOT).as_posix().removeprefix("docs/")
    name = "readme.md" if name == "README.md" else re.sub(r"README\.md$", "index.md", name)
    return (site / name).with_suffix(".html")


def test_every_page_is_in_the_navigation(site: Path, read: dict[Path, Read]) -> None:
    """The first page links to every other one."""
    home = site / "index.html"
    linked = {(site / unquote(urldefrag(link).url)).resolve() for link in read[home].links} | {home}
    assert [] == [str(page.relative_to(ROOT)) for page in IN_SITE if _place(site, page) not in linked]


def test_links_and_anchors_resolve(site: Path, read: dict[Path, Read]) -> None:
    """Every link within the site leads to a file of it, and to an id that this has."""
    dead = []
    for page, found in read.items():
        for link in {*found.links, *found.loads}:
            if page.name == "404.html" or re.match(r"[a-z]+:", link):
                continue
            path, anchor = urldefrag(link)
            target = (page.parent / unquote(path)).resolve() if path else page
            if not target.is_file() or (anchor and target in read and anchor not in {*read[target].ids, "__top"}):
                dead.append(f"{page.relative_to(site)}: {link}")
    assert [] == dead


def test_nothing_comes_from_a_network(site: Path, read: dict[Path, Read]) -> None:
    """No page and no style sheet loads anything from elsewhere, and search has what it needs from a disk."""
    assert [] == [link for found in read.values() for link in found.loads if re.match(r"([a-z]+:)?//", link)]
    sheets = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert [] == [url for text in sheets for url in re.findall(r"url\([\"']?(?:https?:)?//[^)]*", text)]
    assert (site / "search" / "search_index.js").is_file()
    assert any("iframe-worker" in load for load in read[site / "index.html"].loads)


@pytest.mark.parametrize("page", IN_SITE, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_site_reads_a_page_as_others_do(page: Path, site: Path, read: dict[Path, Read]) -> None:
    """Lists, tables, blocks and headings of a page are those that CommonMark, and so GitHub, finds in it."""
    text = MarkdownIt("commonmark").enable("table").render(page.read_text(encoding="utf-8"))
    assert Read(f"<article>{text}</article>").elements == read[_place(site, page)].elements


def test_a_broken_link_and_an_orphan_page_stop_it(tmp_path: Path) -> None:
    """The site is not built where a page links to nothing, or is not in the navigation; the page is named."""
    root = tmp_path / "copy"
    shutil.copytree(ROOT / "docs", root / "docs", ignore=shutil.ignore_patterns("tests", ".*", "__pycache__"))
    for name in ("README.md", "CHANGELOG.md", "mkdocs.yml", "changelog.d", "fixtures", "plugins"):
        (root / name).symlink_to(ROOT / name)
    page = root / "docs" / "tutorial" / "first-run.md"
    page.write_text("# Broken\n\n[Gone](gone.md), [no such part](read-a-trace.md#gone).\n", encoding="utf-8")
    (root / "docs" / "how-to" / "orphan.md").write_text("# Orphan\n", encoding="utf-8")
    done = _build(root, tmp_path / "site")
    assert done.returncode == 1
    assert "gone.md" in done.stderr
    assert "#gone" in done.stderr
    assert "how-to/orphan.md" in done.stderr
