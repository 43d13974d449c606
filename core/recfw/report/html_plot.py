"""
Plots of the HTML page: small SVG drawings whose places are shares of the width, between words that are plain HTML.

So a plot fills a wide screen, a phone and a sheet of paper alike, its words keep their size, and every number can be
read and copied as text.
"""

from itertools import pairwise
from xml.etree.ElementTree import Element

from recfw.model.document import Measure
from recfw.report.chart import Axis, Chart, Point
from recfw.report.html_tags import lines, tag
from recfw.report.words import one_line, shown

_COLOURS, _DASHES = 6, 4
_SIDE = 0.03
"""Share of a drawing's width that is left free on either side."""

_APART = 5
"""Pixels between two series at one x, so that their intervals do not hide one another."""

_LABEL_ROOM = 42
"""Letters that the labels below a drawing may have together before some of them are left out."""


def drawing(chart: Chart) -> list[Element]:
    """Return what shows a chart, below its caption."""
    return _rows(chart) if chart.lies_down else _plane(chart)


def _rows(chart: Chart) -> list[Element]:
    """Return a row for each value: name, drawing, number; grouped by category where there are several series."""
    scale = max((abs(p.value) for points in chart.series for p in points if p.value is not None), default=1.0)
    grouped = len(chart.series) > 1
    cells: list[Element] = []
    for position, category in enumerate(chart.categories):
        if grouped:
            cells.append(tag("div", category, class_="place"))
        for number, points in enumerate(chart.series):
            for point in (point for point in points if point.x == position):
                name: list[str | Element] = [_key(chart, number), chart.names[number]] if grouped else [category]
                measure = Measure(point.value, point.low, point.high, scale)
                cells += [
                    tag("div", *name, class_="name"),
                    tag("div", shown(measure), class_="number"),
                    tag("div", _bar(chart, number, point), class_="bar"),
                ]
    ticks = [_tick(chart.values, place, label) for place, label in _thinned(chart.values.ticks)]
    cells.append(tag("div", tag("svg", *ticks, aria_hidden="true"), class_="axis"))
    return [tag("div", "\n", *lines(*cells), class_="rows")]


def _bar(chart: Chart, number: int, point: Point) -> Element:
    grid = [_line(_share(chart.values, place), "0", "", "100%", class_="grid") for place, _ in chart.values.ticks]
    zero = min(max(0.0, chart.values.low), chart.values.high)
    parts: list[Element] = []
    if point.value is not None:
        if chart.plot.form == "bar":
            left, right = sorted((chart.values.place(zero), chart.values.place(point.value)))
            box = {"x": _percent(left), "width": _percent(right - left), "y": "18%", "height": "64%"}
            parts.append(tag("rect", class_=f"rect s{number % _COLOURS}", **box))
            parts.append(
                _line(_share(chart.values, point.value), "18%", "", "82%", class_=f"span s{number % _COLOURS}")
            )
        parts += _interval_across(chart.values, point, number)
        if chart.plot.form != "bar":
            parts.append(tag("circle", cx=_share(chart.values, point.value), cy="50%", r="5", class_=_dot(number)))
    base = [_line(_share(chart.values, zero), "0", "", "100%", class_="base")] if chart.plot.form == "bar" else []
    return tag("svg", *grid, *parts, *base, aria_hidden="true")


def _interval_across(axis: Axis, point: Point, number: int) -> list[Element]:
    if point.low is None or point.high is None:
        return []
    low, high, kind = _share(axis, point.low), _share(axis, point.high), f"span s{number % _COLOURS}"
    across = tag("line", x1=low, x2=high, y1="50%", y2="50%", class_=kind)
    return [across, *(_line(end, "36%", "", "64%", class_=kind) for end in (low, high))]


def _tick(axis: Axis, place: float, label: str) -> Element:
    share = axis.place(place)
    anchor = "start" if share < 0.02 else "end" if share > 0.98 else "middle"
    return tag("text", label, x=_percent(share), y="1rem", text_anchor=anchor)


def _plane(chart: Chart) -> list[Element]:
    """Return a drawing with x from left to right and values from the bottom up, then what the colours mean."""
    values, parts = chart.values, list[Element]()
    for tick, label in values.ticks:
        height = _percent(1 - values.place(tick))
        parts.append(tag("line", x1="0", x2="100%", y1=height, y2=height, class_="grid"))
        parts.append(tag("text", label, x="-8", y=height, dy=".35em", text_anchor="end"))
    parts.append(_line("0", "0", "", "100%", class_="base"))
    parts.append(tag("line", x1="0", x2="100%", y1="100%", y2="100%", class_="base"))
    for tick, label in _thinned(chart.places.ticks):
        parts.append(tag("text", label, x=_inside(chart, tick), y="100%", dy="1.5em", text_anchor="middle"))
    for number, points in enumerate(chart.series):
        shift = (number - (len(chart.series) - 1) / 2) * _APART
        parts.append(tag("g", *_curve(chart, number, points), transform=f"translate({shift:g} 0)"))
    made = [tag("div", tag("svg", *parts, role="img", aria_label=_spoken(chart)), class_="xy")]
    if chart.plot.x_label:
        made.append(tag("div", one_line(chart.plot.x_label), class_="xlabel"))
    if len(chart.names) > 1 or any(chart.names):
        entries = [tag("li", _key(chart, number), tag("span", name)) for number, name in enumerate(chart.names)]
        made.append(tag("ul", *entries, class_="legend"))
    return made


def _curve(chart: Chart, number: int, points: tuple[Point, ...]) -> list[Element]:
    values, kind = chart.values, f"span s{number % _COLOURS}"
    dash = f"path s{number % _COLOURS} d{number % _DASHES}"
    parts = []
    if chart.plot.form == "line":
        for one, other in pairwise(points):
            if one.value is not None and other.value is not None:
                ends = {"x1": _inside(chart, one.x), "x2": _inside(chart, other.x)}
                heights = {"y1": _percent(1 - values.place(one.value)), "y2": _percent(1 - values.place(other.value))}
                parts.append(tag("line", class_=dash, **ends, **heights))
    for point in points:
        x = _inside(chart, point.x)
        if point.low is not None and point.high is not None:
            low, high = (_percent(1 - values.place(end)) for end in (point.low, point.high))
            parts.append(_line(x, low, "", high, class_=kind))
        if point.value is not None:
            parts.append(tag("circle", cx=x, cy=_percent(1 - values.place(point.value)), r="4", class_=_dot(number)))
    return parts


def _spoken(chart: Chart) -> str:
    """Return what a screen reader says in place of the drawing: every series' values in order."""
    said = []
    for name, points in zip(chart.names, chart.series, strict=True):
        told = ", ".join(f"{point.label}: {shown(point.value, '.3g')}" for point in points)
        said.append(f"{name}: {told}" if name else told)
    return f"{one_line(chart.plot.title)}. {'; '.join(said)}"


def _thinned(ticks: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Return every n-th tick, so many that their labels have room beside one another."""
    longest = max((len(label) for _, label in ticks), default=1)
    every = -(-len(ticks) * max(longest, 4) // _LABEL_ROOM)
    return [(tick, label[:_LABEL_ROOM]) for tick, label in ticks[:: max(1, every)]]


def _key(chart: Chart, number: int) -> Element:
    """Return the sample of a series' colour and dash that stands beside its name."""
    kind = f"s{number % _COLOURS}"
    if chart.plot.form == "bar":
        parts = [tag("rect", x="20%", y="10%", width="60%", height="80%", class_=f"rect {kind}")]
    else:
        dash = f"path {kind} d{number % _DASHES}" if chart.plot.form == "line" else f"span {kind}"
        through = chart.plot.form == "line" or chart.has_intervals
        parts = [tag("line", x1="0", x2="100%", y1="50%", y2="50%", class_=dash)] if through else []
        parts.append(tag("circle", cx="50%", cy="50%", r="4", class_=_dot(number)))
    return tag("span", tag("svg", *parts, aria_hidden="true"), class_="key")


def _line(x: str, top: str, other: str, bottom: str, *, class_: str) -> Element:
    """Return a line from one height to another; upright unless another x is given."""
    return tag("line", x1=x, x2=other or x, y1=top, y2=bottom, class_=class_)


def _dot(number: int) -> str:
    return f"s{number % _COLOURS} dot"


def _inside(chart: Chart, x: float) -> str:
    """Return where x stands in a drawing, at some distance from its sides."""
    return _percent(_SIDE + (1 - 2 * _SIDE) * chart.places.place(x))


def _share(axis: Axis, value: float) -> str:
    return _percent(axis.place(value))


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"
