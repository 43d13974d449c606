"""``recfw report``: figures of stored runs, by an analysis, in a format."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from recfw.cli.common import open_store, registry_of, store_option
from recfw.engine.request import parse_setting
from recfw.errors import DataError, UsageError
from recfw.model.document import Report
from recfw.model.run import ComponentSpec
from recfw.registry import Registry, option_fields, option_value
from recfw.store.repository import Store
from recfw.store.results import StoredResults


@click.command()
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option("--analysis", metavar="NAME", default="", help="Which analysis. [default: the track's own]")
@click.option(
    "--format",
    "renderer",
    metavar="NAME",
    default="",
    help="terminal, markdown, html, latex, csv, json, or a plugin's. [default: by the ending of FILE, or terminal]",
)
@click.option("--json", "renderer", flag_value="json", help="Short for --format json.")
@click.option(
    "--split-by", metavar="FACET", multiple=True, help="Facets that tables split by. [default: the track's own]"
)
@click.option(
    "--set",
    "set_",
    metavar="COMPONENT.OPTION=VALUE",
    multiple=True,
    help="Option of the analysis or the format: analysis.k=2, latex.standalone=true.",
)
@click.option("--out", metavar="FILE", help="Write to a file; its ending (.html, .tex, .csv …) tells the format.")
@store_option
@click.pass_context
def report(
    ctx: click.Context,
    runs: tuple[str, ...],
    analysis: str,
    renderer: str,
    split_by: tuple[str, ...],
    set_: tuple[str, ...],
    out: str | None,
    place: str | None,
) -> None:
    """
    Show the figures of stored runs (default: the newest run).

    \b
    Examples:
      recfw report
      recfw report 20260101 --format json
      recfw report --out report.html
      recfw report RUN RUN --split-by tier
    """  # noqa: D301 - click reads \b as the character that it stands for
    check_out(out)
    registry, store = registry_of(ctx), open_store(place)
    settings: dict[str, Any] = {"split_by": list(split_by)} if split_by else {}
    renderer = renderer or format_of(registry, out or "")
    text = show(registry, store, runs or ["latest"], analysis=analysis, renderer=renderer, settings=settings,
                options=set_, echo=not out)  # fmt: skip
    if out:
        write_out(out, text)


def check_out(out: str | None) -> None:
    """Refuse an empty name of a file, as that of a shell's variable that was not set."""
    if out == "":
        raise UsageError("--out is empty.", "Give it the name of a file, or leave it out.")


def write_out(out: str, text: str) -> None:
    """Write a report to a file, whole: where it cannot be written (DataError), what was there before stays."""
    path = Path(out).resolve()
    whole = path if path.exists() and not path.is_file() else path.with_name(f".{path.name}-{os.getpid()}.part")
    try:
        whole.write_text(text, encoding="utf-8", newline="")
        whole.replace(path)
    except OSError as error:
        if whole != path:
            whole.unlink(missing_ok=True)
        raise DataError(f"{out}: cannot be written ({error.strerror}).") from error


def format_of(registry: Registry, out: str) -> str:
    """
    Return the format that a file's ending asks for; ``terminal`` where none does.

    Raises:
        UsageError: Several formats are written to files of that ending.
    """
    ending = Path(out).suffix.casefold()
    found = [name for name, one in registry.classes("renderers").items() if ending in getattr(one, "suffixes", ())]
    if len(found) > 1:
        raise UsageError(f"{out}: several formats end in {ending} ({', '.join(found)}).", "Name one with --format.")
    return found[0] if found else "terminal"


def show(
    registry: Registry,
    store: Store,
    runs: Sequence[str],
    *,
    analysis: str,
    renderer: str,
    settings: Mapping[str, Any],
    options: Sequence[str] = (),
    echo: bool = True,
) -> str:
    """Compute a report, render it, print it, and return it."""
    ids = [store.run(name).id for name in runs]
    track = store.run(ids[0]).spec.track
    known = registry.classes("tracks").get(track)
    defaults: dict[str, Any] = {}
    if known is not None:
        metrics = registry.classes("metrics")
        figures = {
            metric: list(getattr(metrics[metric], "figures", ())) for metric in known.metrics if metric in metrics
        }
        defaults = {"split_by": list(known.split_by), "clustered_by": known.clustered_by, "figures": figures}
    name = analysis or (known.analyses[0] if known is not None and known.analyses else "summary")
    chosen = _options(registry, {"analyses": name, "renderers": renderer}, options)
    made = registry.create("analyses", ComponentSpec(name, chosen["analyses"]))
    if made.tracks and track not in made.tracks:
        raise UsageError(
            f"the analysis '{name}' does not understand the track '{track}' (it knows: {', '.join(made.tracks)})."
        )
    results = StoredResults(store, ids, {**defaults, **settings})
    found: Any = registry.call("analyses", name, "fails", made.report, results)
    if not isinstance(found, Report):
        raise registry.fault("analyses", name, f"gives {type(found).__name__}, not a Report")
    plain = {"color": "never"} if not echo and "color" in option_fields(registry.find("renderers", renderer)) else {}
    shows = registry.create("renderers", ComponentSpec(renderer, {**plain, **chosen["renderers"]}))
    text: Any = registry.call("renderers", renderer, "fails", shows.render, found)
    if not isinstance(text, str):
        raise registry.fault("renderers", renderer, f"gives {type(text).__name__}, not text")
    if echo:
        click.echo(text)
    return str(text)


def _options(registry: Registry, names: Mapping[str, str], texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return kind -> options of the analysis and the renderer; each is meant by its own name or by what it is."""
    words = {"analyses": "analysis", "renderers": "renderer"}
    values: dict[str, dict[str, Any]] = {kind: {} for kind in names}
    for text in texts:
        setting = parse_setting(text)
        meant = [kind for kind, name in names.items() if setting.component in {words[kind], name}]
        if not meant:
            told = f"the report is made by the analysis '{names['analyses']}' and shown as '{names['renderers']}'"
            raise UsageError(f"--set {text}: {told}.", "Write analysis.OPTION=VALUE or renderer.OPTION=VALUE.")
        kind = meant[0]
        found, where = registry.find(kind, names[kind]), f"{words[kind]} '{names[kind]}'"
        values[kind][setting.option] = option_value(found, setting.option, setting.value, where)
    return values
