"""Blocks that no test runs are marked in words that a reader sees, and only such blocks."""

import re
from pathlib import Path

import pytest
from pages import ROOT, SHELLS, pages, steps

NOT_RUN = "*Not run by the tests"


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_marks_stand_above_a_block(page: Path) -> None:
    """Every mark of a page is spelt as tests read it and stands right above a block of commands."""
    text = page.read_text(encoding="utf-8")
    blocks = re.split(rf"\n```(?:{'|'.join(sorted(SHELLS))})\b", text)
    above = [block.rstrip("\n").rpartition("\n")[2] for block in blocks[:-1]]
    marks = [line for line in text.splitlines() if line.startswith(NOT_RUN)]
    assert marks == [line for line in above if line.startswith(NOT_RUN)]
    assert len(set(marks)) <= len({step.why_not for step in steps(text)} - {""})


def test_a_block_without_a_mark_is_run() -> None:
    """A block of commands is run unless a line above it says why not; where lines begin with $, others are output."""
    found = steps("Text.\n\n```console\n$ one \\\n  more\nsaid\n$ two\n```\n\n`a/b.txt`:\n\n```text\nwords\n```\n")
    assert [(step.text, step.path, step.shown, step.why_not) for step in found] == [
        ("one \\\n  more\n", "", "said\n", ""),
        ("two\n", "", "", ""),
        ("words\n", "a/b.txt", "", ""),
    ]
    marked = steps("*Not run by the tests: it needs a key.*\n\n```console\nthree\n```\n")
    assert [(step.text, step.why_not) for step in marked] == [("three\n", "it needs a key")]
