"""A catalog's shape as a picture, drawn by matplotlib (the extra ``pictures``)."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from recfw.errors import DataError, UsageError
from recfw_books.stats.figures import Shape

SUFFIXES = (".png", ".svg")
_LABELS = 12
_COLOUR = "#33608c"


def check_picture(path: Path) -> None:
    """
    Check that a picture can be drawn, before anything is counted.

    Raises:
        UsageError: The name ends otherwise than with .png or .svg, or matplotlib is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: no picture can be drawn in this format.", "Let the name end with .png or .svg.")
    try:
        import_module("matplotlib")
    except ModuleNotFoundError as error:
        raise UsageError(
            "pictures are drawn by matplotlib, which is not installed.",
            "Install the extra 'recfw-books[pictures]', or leave --picture out.",
        ) from error


def draw_picture(shape: Shape, name: str, path: Path) -> None:
    """
    Draw six panels into a file: genres, decades, languages, countries, formats, sitelinks.

    Equal catalogs give equal bytes with one version of matplotlib: no date and no random id enters the file.

    Raises:
        DataError: The file cannot be written.
    """
    matplotlib: Any = import_module("matplotlib")  # an extra, loaded only when a picture is asked for
    figures: Any = import_module("matplotlib.figure")
    with matplotlib.rc_context({"svg.hashsalt": "recfw-books", "font.size": 8.0}):
        figure = figures.Figure(figsize=(11.0, 9.0), layout="constrained")
        figure.suptitle(f"{name}, {shape.books:,} books")
        panels = figure.subplots(3, 2)
        _bars(panels[0][0], "genre", shape.genres)
        _decades(panels[0][1], shape.decades)
        _bars(panels[1][0], f"language (first {_LABELS} of {len(shape.languages)})", _first(shape.languages))
        _bars(panels[1][1], f"country (first {_LABELS} of {len(shape.countries)})", _first(shape.countries))
        _bars(panels[2][0], "format (simulated)", shape.formats)
        _sitelinks(panels[2][1], shape.sitelinks)
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
        try:
            figure.savefig(path, metadata=metadata, dpi=150)
        except OSError as error:
            raise DataError(f"{path}: cannot be written ({error.strerror or error}).") from error


def _first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(list(counts.items())[:_LABELS])


def _bars(panel: Any, title: str, counts: Mapping[str, int]) -> None:
    panel.barh(list(counts), list(counts.values()), color=_COLOUR)
    panel.invert_yaxis()
    panel.set_title(title)
    panel.set_xlabel("books")


def _decades(panel: Any, counts: Mapping[int, int]) -> None:
    panel.bar(list(counts), list(counts.values()), width=9, align="edge", color=_COLOUR)
    panel.set_title("decade")
    panel.set_ylabel("books")


def _sitelinks(panel: Any, percentiles: Mapping[int, int]) -> None:
    panel.plot(list(percentiles), list(percentiles.values()), marker="o", color=_COLOUR)
    panel.set_yscale("symlog")
    panel.set_title("sitelinks")
    panel.set_xlabel("percentile of the books")
    panel.set_ylabel("sitelinks")
