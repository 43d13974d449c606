"""The documentation's pages: where they are, their links, and the commands and files that they show."""

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {".git", ".tox", ".venv", "build", "golden", "node_modules"}

_FENCE = re.compile(r"^(?P<indent> *)```(?P<kind>\w*)\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (?P<words>.+)$", re.MULTILINE)
_MARKED = re.compile(
    r"^<!-- (?P<mark>run|file: (?P<path>\S+)) -->\n+```\w*\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


@frozen
class Step:
    """One thing to do in an empty folder: write ``text`` to ``path``, or run ``text`` where there is no path."""

    text: str
    path: str = ""


def pages() -> list[Path]:
    """Return every Markdown file of the repository that git may hold."""
    found = (path for path in sorted(ROOT.rglob("*.md")) if not SKIPPED & set(path.relative_to(ROOT).parts))
    return [path for path in found if not any(part.endswith(".egg-info") for part in path.parts)]


def links(page: Path) -> Iterator[tuple[str, str]]:
    """Yield (path, anchor) of every link within the repository, code left out; the path is empty within the page."""
    prose = re.sub(r"`[^`\n]*`", "code", _FENCE.sub("", page.read_text(encoding="utf-8")))
    for match in _LINK.finditer(prose):
        target = match["target"]
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield path, anchor


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings give, as GitHub names them."""
    prose = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", m["words"].lower()).strip().replace(" ", "-") for m in _HEADING.finditer(prose)}


def steps(page: Path) -> list[Step]:
    """Return a page's marked blocks in order: files to write, and commands to run (those after ``$``, or else all)."""
    found = []
    for match in _MARKED.finditer(page.read_text(encoding="utf-8")):
        body = match["body"]
        if match["path"]:
            found.append(Step(body, match["path"]))
        else:
            lines = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
            found.append(Step("\n".join(lines) or body))
    return found
