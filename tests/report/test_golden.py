"""One document in every format: the golden pages, and the same bytes whatever the hash seed and the locale."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from recfw.model.document import (
    Block,
    Column,
    Document,
    Heading,
    Image,
    Measure,
    Note,
    Paragraph,
    Plot,
    Report,
    Series,
    Table,
)
from recfw.protocols import NoOptions
from recfw.report.render_csv import CsvOptions, CsvRenderer
from recfw.report.render_html import HtmlRenderer
from recfw.report.render_latex import LatexOptions, LatexRenderer
from recfw.report.render_markdown import MarkdownRenderer
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer

GOLDEN = Path(__file__).parent / "golden"

BLOCKS: tuple[Block, ...] = (
    Heading("Two agents & a baseline", 1),
    Paragraph("Both agents played 40 tasks; 100 % of trials ended."),
    Table(
        (Column("agent"), Column("pass^1"), Column("n", ",d"), Column("comment")),
        (
            ("careful_1", Measure(0.95625, 0.9125, 0.9875), 1200, None),
            ("hasty", Measure(0.5), 1200, "=SUM(A1) <b>\u202e日"),
        ),
        "success by agent",
    ),
    Plot(
        "success by agent",
        "points",
        "agent",
        "pass^1",
        (Series("", ("careful_1", "hasty"), (0.95625, 0.5), (0.9125, None), (0.9875, None)),),
        repeats=True,
    ),
    Note("Intervals are over 20 clusters."),
    Note("n counts trials."),
    Heading("Learning"),
    Plot(
        "success by trials seen",
        "line",
        "trials",
        "share",
        (
            Series("careful", (0, 10, 20), (0.25, None, 0.75), (0.125, None, 0.5), (0.5, None, 1.0)),
            Series("hasty", (0, 20), (0.5, 0.5)),
        ),
    ),
    Plot("calls", "bar", "tool", "calls", (Series("careful", ("search", "look up"), (1500.0, 20.0)),)),
    Image("a red dot", "image/png", b"\x89PNG\r\n\x1a\n", "Frame 1"),
)


def pages() -> dict[str, str]:
    """Return ending -> the page."""
    report = Report(Document(BLOCKS))
    return {
        "txt": TerminalRenderer(TerminalOptions(width=80, color="never")).render(report),
        "md": MarkdownRenderer(NoOptions()).render(report),
        "html": HtmlRenderer(NoOptions()).render(report),
        "tex": LatexRenderer(LatexOptions()).render(report),
        "csv": CsvRenderer(CsvOptions()).render(report),
    }


def digest() -> str:
    """Return the SHA-256 of all pages."""
    return hashlib.sha256("\0".join(pages().values()).encode()).hexdigest()


@pytest.mark.parametrize("ending", ["txt", "md", "html", "tex", "csv"])
def test_golden(ending: str) -> None:
    """Each format shows the document as its page in the folder `golden` (written by running this file)."""
    assert pages()[ending].encode() == (GOLDEN / f"document.{ending}").read_bytes()


@pytest.mark.parametrize(("seed", "locale"), [("1", "C"), ("77", "de_DE.ISO-8859-1")])
def test_the_same_bytes_everywhere(seed: str, locale: str) -> None:
    """Another hash seed and another locale in another process give the same bytes."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "COLUMNS": "133"}
    done = subprocess.run([sys.executable, __file__, "digest"], env=environment, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (digest(), "")


if __name__ == "__main__":
    if sys.argv[1:] == ["digest"]:
        print(digest())
    else:
        for name, page in pages().items():
            (GOLDEN / f"document.{name}").write_bytes(page.encode())
