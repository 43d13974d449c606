"""Lines that fit a terminal, and stay whole for a script."""

import pytest
from click.testing import CliRunner

from recfw.cli.root import cli
from recfw.cli.wrapping import hanging


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("", "head  one two three four five six seven eight"),
        ("80", "head  one two three four five six seven eight"),
        ("40", "head  one two three four five six seven\n      eight"),
        ("5", "head  one two three four five six seven\n      eight"),
    ],
)
def test_text_hangs_under_where_it_begins(monkeypatch: pytest.MonkeyPatch, columns: str, expected: str) -> None:
    """Where a width is known; where a script reads, a line stays one line."""
    monkeypatch.setenv("COLUMNS", columns)
    assert hanging("head  ", "one two three four five six seven eight") == expected


def test_long_words_are_left_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A digest or a path that is cut cannot be copied."""
    monkeypatch.setenv("COLUMNS", "40")
    assert hanging("digest  ", "a" * 64).split() == ["digest", "a" * 64]


@pytest.mark.parametrize("words", [("plugins", "list"), ("plugins", "info", "core"), ("doctor",)])
def test_what_lists_fits_80_columns(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    """But for words that are longer than a line."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("RECFW_STORE", "none.db")
    lines = CliRunner().invoke(cli, words, standalone_mode=False).output.splitlines()
    assert [line for line in lines if len(line) > 80 and " " in line.strip()[:60]] == []
    assert len(lines) > 5
