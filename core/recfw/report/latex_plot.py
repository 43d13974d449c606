"""Plots as pgfplots code: the numbers stand in it, so an author can restyle or quote them."""

from collections.abc import Callable, Iterator

from recfw.report.chart import Axis, Chart, Point

_COLOURS = ("blue!70!black", "orange!85!black", "teal!80!black", "magenta!70!black", "violet", "olive")
_MARKS = ("*", "square*", "triangle*", "diamond*", "o", "square")
_LONG = 25
"""Letters beyond which a label gets a width of its own."""
_DASHES = ("solid", "dashed", "dotted", "dashdotted")


def picture(chart: Chart, words: Callable[[str], str]) -> list[str]:
    """
    Return the lines of a ``tikzpicture``.

    Args:
        chart: What is drawn.
        words: How text is escaped.
    """
    body = _rows(chart, words) if chart.lies_down else _plane(chart, words)
    return [r"\begin{tikzpicture}", *body, r"  \end{axis}", r"\end{tikzpicture}"]


def _rows(chart: Chart, words: Callable[[str], str]) -> Iterator[str]:
    """Yield bars or points from left to right, the first category at the top."""
    kinds, values = len(chart.categories), chart.values
    yield r"  \begin{axis}["
    yield rf"    width=0.6\linewidth, height={max(3.0, 1.4 + 0.55 * kinds * max(1, len(chart.series)) ** 0.7):.1f}cm,"
    yield r"    scale only axis, y dir=reverse, clip=false, yticklabel style={text width=0.24\linewidth, align=right},"
    yield f"    ymin=-0.6, ymax={kinds - 0.4:g}, {_labels('y', chart.categories, words)},"
    yield f"    {_range('x', values)}, xmajorgrids, {_axis_label('x', chart.plot.y_label, words)},"
    yield from _style(chart)
    step = 0.8 / max(1, len(chart.series))
    for number, points in enumerate(chart.series):
        shift = (number - (len(chart.series) - 1) / 2) * step
        bar = f"xbar, bar width={0.9 * step:g}, bar shift=0pt, {{colour}}, fill={{colour}}, fill opacity=0.4, mark=none"
        look = bar if chart.plot.form == "bar" else f"only marks, mark={_MARKS[number % len(_MARKS)]}, {{colour}}"
        told = [f"({_n(p.value)},{_n(p.x + shift)}){_errors(p, across=True)}" for p in points if p.value is not None]
        yield from _series(chart, number, look, "x", told, words)


def _plane(chart: Chart, words: Callable[[str], str]) -> Iterator[str]:
    yield r"  \begin{axis}["
    yield r"    width=0.96\linewidth, height=7cm,"
    if chart.categories:
        room = ", text width=4cm, align=right" if max(map(len, chart.categories)) > _LONG else ""
        yield f"    {_labels('x', chart.categories, words)}, xticklabel style={{rotate=30, anchor=north east{room}}},"
    else:
        yield f"    {_range('x', chart.places)}, enlarge x limits=0.03,"
    yield f"    {_range('y', chart.values)}, ymajorgrids, {_axis_label('x', chart.plot.x_label, words)},"
    yield f"    {_axis_label('y', chart.plot.y_label, words)},"
    yield from _style(chart)
    for number, points in enumerate(chart.series):
        dash = _DASHES[number % len(_DASHES)] if chart.plot.form == "line" else "only marks"
        look = f"{dash}, mark={_MARKS[number % len(_MARKS)]}, mark options=solid, {{colour}}"
        told = [f"({_n(p.x)},{'nan' if p.value is None else _n(p.value)}){_errors(p, across=False)}" for p in points]
        yield from _series(chart, number, look, "y", told, words)


def _style(chart: Chart) -> Iterator[str]:
    yield "    unbounded coords=jump, scaled ticks=false, legend style={font=\\small},"
    yield "    tick align=outside, tick pos=left, axis line style={gray}, grid style={gray!30},"
    if any(chart.names):
        longest = max(map(len, chart.names))
        columns = 3 if longest <= _LONG else 1
        room = r", nodes={text width=0.8\linewidth}" if longest > 3 * _LONG else ""
        style = f"legend style={{draw=none, at={{(0.5,-0.22)}}, anchor=north{room}}}"
        yield f"    {style}, legend columns={columns}, legend cell align=left,"
    yield "  ]"


def _series(
    chart: Chart, number: int, look: str, way: str, told: list[str], words: Callable[[str], str]
) -> Iterator[str]:
    bars = f", error bars/.cd, {way} dir=both, {way} explicit, error bar style={{solid, opacity=1}}"
    colour = _COLOURS[number % len(_COLOURS)]
    yield rf"    \addplot[{look.format(colour=colour)}{bars if chart.has_intervals else ''}] coordinates {{"
    yield from (f"      {coordinate}" for coordinate in told)
    yield "    };"
    if any(chart.names):
        yield rf"    \addlegendentry{{{words(chart.names[number])}}}"


def _axis_label(way: str, text: str, words: Callable[[str], str]) -> str:
    room = {"x": r"0.9\linewidth", "y": "6.5cm"}[way]
    style = f", {way}label style={{text width={room}, align=center}}" if len(text) > 2 * _LONG else ""
    return f"{way}label={{{words(text)}}}{style}"


def _labels(way: str, names: tuple[str, ...], words: Callable[[str], str]) -> str:
    ticks = ",".join(str(position) for position in range(len(names)))
    labels = ",".join(f"{{{words(name)}}}" for name in names)
    return f"{way}tick={{{ticks}}}, {way}ticklabels={{{labels}}}"


def _range(way: str, axis: Axis) -> str:
    ticks = ",".join(_n(place) for place, _ in axis.ticks)
    return f"{way}min={_n(axis.low)}, {way}max={_n(axis.high)}, {way}tick={{{ticks}}}"


def _errors(point: Point, *, across: bool) -> str:
    """Return the distances from the value to its interval's ends; none where there is no interval."""
    if point.value is None or point.low is None or point.high is None:
        return ""
    above, below = max(0.0, point.high - point.value), max(0.0, point.value - point.low)
    return f" += ({_n(above)},0) -= ({_n(below)},0)" if across else f" += (0,{_n(above)}) -= (0,{_n(below)})"


def _n(number: float) -> str:
    return f"{number:z.6g}"
