"""Options on how models are asked and paid for: no part of what a run is asked, so no figure depends on them."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from recfw.cli.measures import Amount
from recfw.errors import DataError, UsageError
from recfw.executors.budget import Budget
from recfw.executors.calibrate import Estimate
from recfw.executors.preflight import Checked
from recfw.protocols import Facilities
from recfw.stats.projection import Projection

F = TypeVar("F", bound=Callable[..., Any])

_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_VARIABLE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")


class Duration(click.ParamType[float]):
    """A time span in seconds, written as ``90``, ``90s``, ``15m``, ``2h`` or ``1d``."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return seconds."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd]?)", str(value))
        if not found or not float(found[1]):
            self.fail(f"'{value}' is no time span. Write 90s, 15m, 2h or 1d.", param, ctx)
        return float(found[1]) * _SECONDS[found[2]]


def answer_options(command: F) -> F:
    """Add the options of everything that may ask a model: where keys are, and where answers are kept."""
    for option in reversed(
        (
            click.option("--env-file", metavar="FILE", help="Read keys from this file (NAME=value lines)."),
            click.option("--cache", metavar="FOLDER", help="Keep every answer of a model here, and find it again."),
            click.option("--cache-only", is_flag=True, help="Send nothing: answers come from --cache, or fail."),
            click.option(
                "--preflight/--no-preflight", default=True, help="Ask each model once before the first trial."
            ),
        )
    ):
        command = option(command)
    return command


def spending_options(command: F) -> F:
    """Add the options that limit what may be spent."""
    for option in reversed(
        (
            click.option("--max-cost", metavar="USD", type=Amount(0), help="Begin no trial past this cost."),
            click.option("--max-tokens", metavar="N", type=click.IntRange(1), help="Begin no trial past these tokens."),
            click.option("--max-time", metavar="TIME", type=Duration(), help="Begin no trial after 90s, 15m, 2h …"),
        )
    ):
        command = option(command)
    return command


def budget_options(command: F) -> F:
    """Add the options that limit what a run may spend, and the one that estimates it."""
    words = "Play N trials (which spends), estimate the whole run, and stop."
    return spending_options(click.option("--calibrate", metavar="N", type=click.IntRange(1), help=words)(command))


def facilities_from(words: Mapping[str, Any]) -> Facilities:
    """
    Return how the run is carried out, and let the variables of ``--env-file`` into the environment.

    Raises:
        UsageError: ``--cache-only`` without a cache.
        DataError: The file of variables cannot be read.
    """
    if words["env_file"] is not None:
        os.environ.update(read_variables(words["env_file"]))
    for name in ("cache", "env_file"):
        if words[name] == "":
            raise UsageError(f"--{name.replace('_', '-')} is empty.", "Give it a value, or leave it out.")
    if words["cache_only"] and not words["cache"]:
        raise UsageError("--cache-only needs a cache.", "Name the folder with --cache.")
    if words["cache_only"] and not Path(words["cache"]).is_dir():
        raise UsageError(f"--cache {words['cache']}: there is no such folder to read answers from.")
    folder = str(Path(words["cache"]).absolute()) if words["cache"] else ""
    return Facilities(answers=folder, offline=bool(words["cache_only"]))


def budget_from(words: Mapping[str, Any]) -> Budget:
    """Return what the run may spend."""
    return Budget(words["max_cost"], words["max_tokens"], words["max_time"])


def read_variables(path: str) -> dict[str, str]:
    """
    Return the variables of a file of ``NAME=value`` lines; comments and ``export`` are allowed, values may be quoted.

    Raises:
        DataError: It cannot be read, or a line is none; the message never shows what the line holds.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) else "no UTF-8 text, or no name of a file"
        raise DataError(f"--env-file {path}: cannot be read ({words}).") from error
    found = {}
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or line.startswith("#"):
            continue
        match = _VARIABLE.fullmatch(line)
        if not match or "\0" in line:
            raise DataError(f"--env-file {path}, line {number}: a line is NAME=value, or a comment after '#'.")
        found[match[1]] = _value(match[2])
    return found


def _value(text: str) -> str:
    """Return a value without its quotes, or without a comment that follows it."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return re.split(r"\s+#", text, maxsplit=1)[0]


def checked_words(checked: Checked) -> str:
    """Return a line on a component that answered its check."""
    usage = checked.usage
    cost = "at no known price" if usage.cost is None else f"{usage.cost:.6f} USD"
    tokens = f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens"
    return f"Checked {checked.role} '{checked.name}': it answers ({checked.seconds:.1f} s, {tokens}, {cost})."


def estimate_lines(found: Estimate, concurrency: int) -> list[str]:
    """Return lines on what a run will come to; ``concurrency`` trials are played at a time."""
    known = found.projections
    seconds = f"at {concurrency} trials at a time"
    lines = [_estimate_line("time", known["seconds"], "{:,.0f} s", 1 / concurrency, seconds)] if known else []
    if "tokens" not in known or not known["tokens"].value:
        return [*lines, "  tokens, cost: nothing that was tried consumed tokens"]
    lines.append(_estimate_line("tokens", known["tokens"], "{:,.0f}"))
    if "cost" not in known:
        return [*lines, "  cost: not known, as no price is known of a model that was asked"]
    return [*lines, _estimate_line("cost", known["cost"], "{:,.4f} USD")]


def _estimate_line(name: str, projection: Projection, shown: str, scale: float = 1.0, also: str = "") -> str:
    words = f"  {name}: {shown.format(projection.value * scale)}"
    if projection.low is None or projection.high is None:
        words += " (no interval: at least two trials of a cell are needed)"
    else:
        low, high = (shown.format(end * scale) for end in (projection.low, projection.high))
        words += f" (95 % interval {low} to {high})"
    return f"{words}, {also}" if also else words
