"""A gold workflow drawn: boxes of calls, a row for each round, and what flows between them."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any

from recfw.errors import DataError, UsageError
from recfw_orchestration.tasks.records import Allowed, AnswerRule, GoldCall, Keep, Workflow, rounds_of

SUFFIXES = (".png", ".svg")
WIDTH = 80
MOST_IDS = 3
_TESTS: Mapping[str, str] = {"eq": "is", "ge": ">=", "le": "<=", "gt": ">", "lt": "<", "has": "holds"}


def rows_of(flow: Workflow) -> list[list[GoldCall]]:
    """Return the calls by round."""
    due = rounds_of(flow.calls)
    return [[call for call in flow.calls if due[call.id] == number] for number in range(1, max(due.values()) + 1)]


def drawn(flow: Workflow, width: int = WIDTH) -> str:
    """Return a workflow as lines of text: boxes side by side in each round, below them what the next one takes."""
    lines: list[str] = []
    for number, calls in enumerate(rows_of(flow), 1):
        if number > 1:
            lines += [f"   {words}" for call in calls for words in _edges(call)]
        lines.append(f"round {number}")
        for start in range(0, len(calls), 3):
            lines += _beside(calls[start : start + 3], width)
    lines += ["   │", "   ▼"]
    lines += wrap(f"answer: {told(flow.answer)}", width, subsequent_indent="        ")
    return "\n".join(lines)


def _edges(call: GoldCall) -> Iterator[str]:
    for edge in call.after:
        yield f"│ {edge.producer} ─ {edge.field} ─▶ {call.id}.{edge.argument}"


def _beside(calls: Sequence[GoldCall], width: int) -> list[str]:
    """Return some calls as boxes side by side."""
    inner = (width - 2 * (len(calls) - 1)) // len(calls) - 4
    boxes = [_box(call, min(inner, 44)) for call in calls]
    tall = max(len(box) for box in boxes)
    filled = [box[:-1] + [f"│{' ' * (len(box[0]) - 2)}│"] * (tall - len(box)) + box[-1:] for box in boxes]
    return ["  ".join(box[line] for box in filled) for line in range(tall)]


def _box(call: GoldCall, inner: int) -> list[str]:
    words = [f"{call.id} {call.tool}", *(f"  {line}" for line in arguments(call))]
    lines = [part for line in words for part in wrap(line, inner, subsequent_indent="    ") or [""]]
    wide = max(len(line) for line in lines)
    body = [f"│ {line.ljust(wide)} │" for line in lines]
    return [f"┌{'─' * (wide + 2)}┐", *body, f"└{'─' * (wide + 2)}┘"]


def arguments(call: GoldCall) -> list[str]:
    """Return a call's arguments, one a line, lists of ids as their number."""
    return [f"{name} {_value(one)}" for name, one in call.arguments.items()]


def _value(one: Allowed) -> str:
    if one.origin is not None:
        pick = {"first": "first", "max": f"highest {one.origin.by}", "most": "most frequent"}.get(one.origin.pick, "")
        taken = f"{pick} {one.origin.field}" if pick else "what is left"
        return f"= {taken} of {', '.join(one.origin.calls)}"
    value = one.values[0]
    if isinstance(value, list):
        return f"= {len(value)} candidates" if len(value) > MOST_IDS else f"= {', '.join(map(str, value))}"
    slack = f" ± {one.tolerance:g}" if one.tolerance else ""
    return f"= {value}{slack}{' (may be left out)' if one.optional else ''}"


def told(rule: AnswerRule) -> str:
    """Return the answer rule in words."""
    parts = [_test(keep) for keep in rule.keep]
    if rule.best is not None:
        end = "highest" if rule.best.descending else "lowest"
        parts.append(f"of those, the {end} {rule.best.field} in {rule.best.call}")
    return "the candidate " + ", and ".join(parts) if parts else "any candidate"


def _test(keep: Keep) -> str:
    if keep.test in ("listed", "unlisted"):
        return f"{'named' if keep.test == 'listed' else 'not named'} by {keep.call}"
    return f"whose {keep.field} in {keep.call} {_TESTS[keep.test]} {keep.value}"


def check_picture(path: Path) -> None:
    """
    Check that a picture can be drawn.

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
            "Install the extra 'recfw-orchestration[pictures]', or leave --picture out.",
        ) from error


def draw_picture(flow: Workflow, title: str, path: Path) -> None:
    """
    Draw a workflow into a file: rounds from left to right, an arrow for each value that one call takes from another.

    Equal workflows give equal bytes with one version of matplotlib. DataError where the file cannot be written.
    """
    matplotlib: Any = import_module("matplotlib")  # an extra, loaded only when a picture is asked for
    figures: Any = import_module("matplotlib.figure")
    rows = rows_of(flow)
    tall = max(len(row) for row in rows)
    with matplotlib.rc_context({"svg.hashsalt": "recfw-orchestration", "font.size": 8.0}):
        figure = figures.Figure(figsize=(3.4 * (len(rows) + 1), 1.9 * tall + 0.8), layout="constrained")
        panel = figure.subplots()
        panel.set_axis_off()
        panel.set_xlim(-0.55, len(rows) + 0.55)
        panel.set_ylim(-0.6, tall - 0.4)
        panel.set_title(title)
        places = _places(rows, tall)
        for row in rows:
            for call in row:
                _draw_call(panel, call, places)
        _draw_answer(panel, flow, places, (len(rows), (tall - 1) / 2))
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
        try:
            figure.savefig(path, metadata=metadata, dpi=150)
        except OSError as error:
            raise DataError(f"{path}: cannot be written ({error.strerror or error}).") from error


def _places(rows: Sequence[Sequence[GoldCall]], tall: int) -> dict[str, tuple[float, float]]:
    return {
        call.id: (float(column), tall - 1 - place - (tall - len(row)) / 2)
        for column, row in enumerate(rows)
        for place, call in enumerate(row)
    }


def _draw_call(panel: Any, call: GoldCall, places: Mapping[str, tuple[float, float]]) -> None:
    lines = [part for line in arguments(call) for part in wrap(line, 34, subsequent_indent="  ")]
    _label(panel, places[call.id], "\n".join([f"{call.id}  {call.tool}", *lines]), "#e8eef6")
    seen: dict[str, list[str]] = {}
    for edge in call.after:
        seen.setdefault(edge.producer, []).append(edge.argument)
    for producer, names in seen.items():
        _arrow(panel, places[producer], places[call.id], ", ".join(names))


def _draw_answer(
    panel: Any, flow: Workflow, places: Mapping[str, tuple[float, float]], at: tuple[float, float]
) -> None:
    asked = [keep.call for keep in flow.answer.keep] + ([flow.answer.best.call] if flow.answer.best else [])
    _label(panel, at, "answer\n" + "\n".join(wrap(told(flow.answer), 30)), "#f3ead9")
    for call in dict.fromkeys(asked):
        _arrow(panel, places[call], at, "")


def _label(panel: Any, at: tuple[float, float], text: str, colour: str) -> None:
    box = {"boxstyle": "round,pad=0.5", "facecolor": colour, "edgecolor": "#33608c"}
    panel.text(*at, text, ha="center", va="center", fontsize=7, bbox=box, zorder=3)


def _arrow(panel: Any, start: tuple[float, float], end: tuple[float, float], words: str) -> None:
    shape = {"arrowstyle": "->", "color": "#33608c", "shrinkA": 62, "shrinkB": 62}
    panel.annotate("", xy=end, xytext=start, arrowprops=shape, zorder=1)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 0.06)
    panel.text(*middle, words, ha="center", fontsize=6, color="#33608c", zorder=4)
