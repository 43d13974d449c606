"""`recfw report`: formats by name and by a file's ending, and their options."""

import csv
from pathlib import Path

import pytest

from recfw.builtin.metrics import Effort


@pytest.fixture
def played(recfw):
    """A store with one short run; gives `recfw`."""
    assert recfw("run", "--track", "fake-dialogue", "--tasks", "d0").status == 0
    return recfw


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("r.html", "<!DOCTYPE html>"),
        ("R.HTM", "<!DOCTYPE html>"),
        ("r.tex", "% Made by recfw."),
        ("r.csv", "block,kind,section"),
        ("r.md", "# "),
        ("r.json", "{\n"),
        ("r.txt", "fake-dialogue: run "),
        ("r", "fake-dialogue: run "),
        ("r.pdf", "fake-dialogue: run "),
    ],
)
def test_the_ending_tells_the_format(played, name: str, begins: str) -> None:
    """Without --format the file's ending decides; an unknown one, or none, is the terminal's text."""
    done = played("report", "--out", name)
    assert (done.status, done.out, Path(name).read_text(encoding="utf-8")[: len(begins)]) == (0, "", begins)


def test_a_named_format_wins(played) -> None:
    """--format decides, whatever the file is called."""
    assert played("report", "--format", "json", "--out", "r.csv").status == 0
    assert Path("r.csv").read_text(encoding="utf-8").startswith("{")


def test_line_ends_are_written_as_they_are(played) -> None:
    """A CSV file has the line ends of the RFC, once, and reads back."""
    played("report", "--out", "r.csv")
    data = Path("r.csv").read_bytes()
    with Path("r.csv").open(newline="", encoding="utf-8") as lines:
        kinds = {line["kind"] for line in csv.DictReader(lines)}
    assert (data.count(b"\r\n") == data.count(b"\n"), b"\r\r" in data, kinds) == (
        True,
        False,
        {"paragraph", "table", "plot", "note"},
    )


@pytest.mark.parametrize("word", ["latex", "renderer"])
def test_options_of_a_format(played, word: str) -> None:
    """A format's options are set by its name, or as the renderer's, beside the analysis'."""
    done = played("report", "--format", "latex", "--set", f"{word}.standalone=true", "--set", "analysis.k=1")
    assert (done.status, done.out.splitlines()[0]) == (0, r"\documentclass{article}")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("html.x=1",), "--set html.x=1: the report is made by the analysis 'summary' and shown as 'terminal'."),
        (("terminal.widht=1",), "renderer 'terminal' has no option 'widht' (it has: width, color)."),
        (("renderer.width=x",), "renderer 'terminal': option 'width' needs int, not 'x'."),
        (("width=1",), "'width=1' is no setting."),
    ],
)
def test_mistakes_in_options_are_told(played, words: tuple[str, ...], told: str) -> None:
    """An option of another format, an unknown one and a wrong value are refused by name, with status 2."""
    done = played("report", "--set", *words)
    assert (done.status, told in done.err) == (2, True), done.err


def test_two_formats_of_one_ending(played, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a plugin's format ends as core's does, one has to be named."""
    monkeypatch.setattr("recfw.report.render_json.JsonRenderer.suffixes", (".html",))
    done = played("report", "--out", "r.html")
    assert (done.status, done.err) == (
        2,
        "Error: r.html: several formats end in .html (html, json). Name one with --format.\n",
    )
    assert played("report", "--out", "r.html", "--format", "html").status == 0


def test_equal_runs_give_equal_bytes(played) -> None:
    """The same store gives the same bytes of every format, twice."""
    for ending in ("html", "tex", "csv", "md"):
        for name in ("a", "b"):
            assert played("report", "--out", f"{name}.{ending}").status == 0
        assert Path(f"a.{ending}").read_bytes() == Path(f"b.{ending}").read_bytes()


@pytest.mark.parametrize("words", [("report",), ("report", "--format", "html"), ("compare",)])
def test_an_empty_name_of_a_file(played, words) -> None:
    """As that of a variable that was not set: it is not the terminal that was meant."""
    done = played(*words, "--out", "")
    assert (done.status, done.err) == (2, "Error: --out is empty. Give it the name of a file, or leave it out.\n")


def test_a_report_that_cannot_be_written_leaves_the_last_one(played, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk the report of yesterday stays whole, and nothing is left beside it."""
    Path("r.html").write_text("yesterday")

    def full(path: Path, *_: object, **__: object) -> None:
        path.touch()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        done = played("report", "--out", "r.html")
    assert (done.status, done.err) == (4, "Error: r.html: cannot be written (No space left on device).\n")
    assert (Path("r.html").read_text(), list(Path().glob(".*.part"))) == ("yesterday", [])


def test_a_report_to_a_device(played) -> None:
    """A device is written to, not replaced."""
    assert played("report", "--out", "/dev/null").status == 0
    assert Path("/dev/null").is_char_device()


def test_json_has_a_short_form(played) -> None:
    """Scripts say --json here as elsewhere."""
    assert played("report", "--json").out == played("report", "--format", "json").out


def test_figures_stand_as_their_metric_declares_them(recfw) -> None:
    """An analysis is told the figures of the track's metrics in their order, which is not that of names."""
    recfw("run", "--track", "fake-dialogue", "--tasks", "d0", "--quiet")
    rows = [line.split()[0] for line in recfw("report", "--analysis", "summary").out.splitlines() if line.strip()]
    assert list(Effort.figures) == [row for row in rows if row in Effort.figures]
    assert list(Effort.figures) != sorted(Effort.figures)
