"""The documentation's pages: where they are, their links, and the commands and files that they show."""

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {".git", ".tox", ".venv", ".pytest_cache", "build", "golden", "node_modules", "site"}
SHELLS = {"bash", "console", "sh", "shell"}

_FENCE = re.compile(r"^(?P<indent> *)```(?P<kind>\w*)[^`\n]*\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (?P<words>.+)$", re.MULTILINE)
_FILE = re.compile(r"`(?P<path>[\w./-]+)`:")
_MARK = re.compile(r"\*Not run by the tests: (?P<why>\S.*)\.\*")


@frozen
class Step:
    """
    One thing that a page has its reader do.

    Args:
        text: What to write to ``path``, or the command.
        path: The file to write; empty where ``text`` is a command.
        shown: What the page shows of the command's output.
        why_not: Why no test runs the command; empty where one does.
    """

    text: str
    path: str = ""
    shown: str = ""
    why_not: str = ""


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


def steps(text: str) -> list[Step]:
    """
    Return what a page's text has its reader do, in order.

    A block under a line that is only a path in code and a colon is a file to write. A block of a shell holds commands;
    those under a line *Not run by the tests: …* have that reason. Where lines begin with ``$``, the others are output.
    """
    found = []
    for fence in _FENCE.finditer(text):
        body = re.sub(rf"^{fence['indent']}", "", fence["body"], flags=re.MULTILINE)
        above = text[: fence.start()].rstrip("\n").rpartition("\n")[2]
        file, mark = _FILE.fullmatch(above), _MARK.fullmatch(above)
        if fence["kind"] in SHELLS:
            why_not = mark["why"] if mark else ""
            found += [Step(command, shown=shown, why_not=why_not) for command, shown in _commands(body)]
        elif file:
            found.append(Step(body, file["path"]))
    return found


def _commands(body: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a block, its further lines included, and the output shown below it."""
    if not body.startswith("$ "):
        yield body, ""
        return
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, shown = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, re.DOTALL).groups()
        yield command, shown
