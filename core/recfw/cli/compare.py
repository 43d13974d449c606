"""``recfw compare``: stored runs and their cells against one another on the same tasks."""

from collections.abc import Mapping
from typing import Any

import click

from recfw.cli.common import open_store, registry_of, store_option
from recfw.cli.report import check_out, format_of, show, write_out
from recfw.errors import UsageError
from recfw.registry import Registry
from recfw.store.repository import Store


@click.command()
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option("--figure", metavar="NAME", help="Which figure. [default: the primary one of `recfw report`]")
@click.option(
    "--baseline", metavar="RUN[:CELL]", help="What the others are held against: a run, its cell, or an arm's name."
)
@click.option(
    "--tasks", metavar="PATTERN", multiple=True, help="Only tasks of this id, glob or FACET=VALUE (may be repeated)."
)
@click.option("--all-pairs", is_flag=True, help="Show every pair of arms, however many there are.")
@click.option(
    "--format",
    "renderer",
    metavar="NAME",
    default="",
    help="terminal, markdown, html, latex, csv, json, or a plugin's. [default: by the ending of FILE, or terminal]",
)
@click.option("--json", "renderer", flag_value="json", help="Short for --format json.")
@click.option(
    "--set", "set_", metavar="COMPONENT.OPTION=VALUE", multiple=True, help="Option of the analysis or the format."
)
@click.option("--out", metavar="FILE", help="Write to a file; its ending (.html, .tex, .csv …) tells the format.")
@store_option
@click.pass_context
def compare(
    ctx: click.Context,
    runs: tuple[str, ...],
    figure: str | None,
    baseline: str | None,
    tasks: tuple[str, ...],
    renderer: str,
    set_: tuple[str, ...],
    out: str | None,
    place: str | None,
    *,
    all_pairs: bool,
) -> None:
    """
    Compare agents on the same tasks: the cells of one run (default: the newest), or of several.

    Differences are paired by task, resampled by cluster and corrected over all pairs (Holm). Agents that they do not
    tell apart share a tier. Whatever else differs between the runs is named: user simulator, seed, limits, versions,
    content. Runs of other tracks, and figures by other scorers, are refused.

    \b
    Examples:
      recfw compare
      recfw compare RUN RUN --tasks condition=hidden
      recfw compare RUN RUN --baseline RUN:CELL --format json --out compared.json
    """  # noqa: D301 - click reads \b as the character that it stands for
    check_out(out)
    registry, store = registry_of(ctx), open_store(place)
    names = runs or ("latest",)
    options = _options(store, {"figure": figure, "baseline": baseline}) + ["compare.all_pairs=true"] * all_pairs
    settings: dict[str, Any] = {"tasks": list(tasks), "evaluated": _evaluated(registry, store.run(names[0]).spec.track)}
    renderer = renderer or format_of(registry, out or "")
    text = show(registry, store, names, analysis="compare", renderer=renderer, settings=settings,
                options=[*options, *set_], echo=not out)  # fmt: skip
    if out:
        write_out(out, text)


def _options(store: Store, given: Mapping[str, str | None]) -> list[str]:
    """Return options of the analysis as words of ``--set``; UsageError where one is empty."""
    for name, value in given.items():
        if value == "":
            raise UsageError(f"--{name} is empty.", "Give it a value, or leave it out.")
    return [f"compare.{name}={_full(store, value)}" for name, value in given.items() if value]


def _full(store: Store, words: str) -> str:
    """Return a baseline with the newest run's id in place of ``latest``; whatever else is read by the analysis."""
    name, colon, cell = words.partition(":")
    return f"{store.run(name).id}{colon}{cell}" if name in {"latest", "@"} else words


def _evaluated(registry: Registry, track: str) -> str:
    """Return the role under evaluation; empty where the track is not installed."""
    known = registry.classes("tracks").get(track)
    return "" if known is None else next(role for role, spec in known.roles.items() if spec.evaluated)
