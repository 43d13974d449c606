"""``recfw orchestration generate``: fresh tasks for a store."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import click

from recfw.cli.carrying import answer_options, facilities_from
from recfw.cli.common import registry_of
from recfw.cli.output import tell
from recfw.cli.progress import progress
from recfw.engine.request import parse_setting, setting_value
from recfw.errors import DataError, UsageError
from recfw.model.document import Column, Table
from recfw.model.run import ComponentSpec
from recfw.protocols import Participant
from recfw.registry import Registry
from recfw_orchestration.cli.common import data_option, print_table
from recfw_orchestration.data.records import DOMAINS, Domain
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import tools_of
from recfw_orchestration.stores import open_told
from recfw_orchestration.tasks import pool
from recfw_orchestration.tasks.plan import scaled

KIND = "participants"


@click.command()
@click.option("--out", metavar="FILE", required=True, type=Path, help="Task file to write; .gz compresses it.")
@data_option
@click.option("--seed", metavar="N", type=int, default=1, show_default=True, help="Equal seeds give equal tasks.")
@click.option("--domain", "domains", type=click.Choice(DOMAINS), multiple=True, help="Only this domain. Repeatable.")
@click.option(
    "--percent",
    metavar="P",
    type=click.IntRange(1, 100),
    default=100,
    show_default=True,
    help="Share of the paper's 1,288 tasks, rounded up in each cell.",
)
@click.option("--model", metavar="NAME", help="Let a language model word the requests: a component such as litellm.")
@click.option("--set", "set_", metavar="model.OPTION=VALUE", multiple=True, help="Option of the model.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@answer_options
@click.pass_context
def generate(ctx: click.Context, /, **words: Any) -> None:
    """
    Make tasks for a store: find workflows by running them, word them vaguely, judge them.

    Without --model no language model is needed. With one, it words each request anew; what it writes is judged by the
    same rules, and where it fails them the words of the shipped phrasings stay.

    \b
    Examples:
      recfw orchestration generate --out fresh.jsonl.gz --seed 7
      recfw orchestration generate --data my.db --out my-tasks.jsonl.gz
      recfw orchestration generate --out worded.jsonl --percent 5 \\
        --model litellm --set model.model=openai/gpt-4o-mini
      recfw run --plugin orchestration --set track.tasks_file=fresh.jsonl.gz
    """  # noqa: D301 - click reads \b as the character that it stands for
    out: Path = words["out"]
    _check(out, words)
    data = open_told(words["store"])
    chosen = tuple(domain for domain in data.domains if not words["domains"] or domain in words["domains"])
    if not chosen:
        raise UsageError(
            f"the store has no {' and no '.join(words['domains'])}.", f"It has: {', '.join(data.domains)}."
        )
    plan = scaled(words["percent"], chosen)
    registry = registry_of(ctx) if words["model"] else None
    model = None if registry is None else _model(registry, words)
    total = sum(sum(levels.values()) for levels in plan.values())
    with progress("tasks", total) as shown:
        tasks, endings, kept = asyncio.run(_generate(data, plan, words["seed"], shown.step, model, words["preflight"]))
    if not tasks:
        raise DataError("no task was found in this store.", "Import more data; `recfw orchestration data` shows it.")
    head = pool.Head(
        words["seed"],
        data.digest,
        {domain: tuple(tools_of(domain)) for domain in chosen},
        words["model"] or "phrasings",
        cells=pool.cells_of(tasks),
    )
    try:
        pool.write(out, head, tasks)
    except OSError as error:
        raise DataError(f"{out}: cannot be written ({error.strerror or error}).") from error
    _show(plan, endings)
    if model is not None:
        tell(f"{words['model']} worded {len(tasks) - kept:,} of {len(tasks):,} requests; the others were not usable.")
    click.echo(f"{out}: {len(tasks):,} tasks, seed {words['seed']}.")


def _check(out: Path, words: Mapping[str, Any]) -> None:
    if out.exists() and not words["force"]:
        raise UsageError(f"{out} is there already.", "Give --force to replace it, or another --out.")
    if not out.absolute().parent.is_dir():
        raise UsageError(f"{out}: there is no such folder.", "Make it first.")
    if words["set_"] and not words["model"]:
        raise UsageError("--set gives options of a model, and there is none.", "Name one with --model.")


def _model(registry: Registry, words: Mapping[str, Any]) -> Participant:
    """Return the component that words requests, its options checked."""
    kind, name = registry.find(KIND, words["model"]), words["model"]
    options = {}
    for text in words["set_"]:
        setting = parse_setting(text)
        if setting.component not in {"model", name}:
            raise UsageError(f"--set {text}: only options of the model can be set here.", "Write model.OPTION=VALUE.")
        options[setting.option] = setting_value(kind, setting.option, setting.value, repr(name))
    made = cast("Participant", registry.create(KIND, ComponentSpec(name, options)))
    made.equip(facilities_from(words))
    return made


async def _generate(
    data: Data,
    plan: Mapping[Domain, Mapping[str, int]],
    seed: int,
    step: Callable[[], None],
    model: Participant | None,
    preflight: bool,
) -> tuple[list[Any], dict[str, Counter[str]], int]:
    """Return the tasks, each cell's endings, and how many requests a model's words were not used for."""
    from recfw_orchestration.servers.clients import open_servers  # noqa: PLC0415 - loads the SDK
    from recfw_orchestration.tasks.generate import Generator  # noqa: PLC0415
    from recfw_orchestration.tasks.rewording import rewording  # noqa: PLC0415
    from recfw_orchestration.tasks.synthesize.running import Runner  # noqa: PLC0415

    total = sum(sum(levels.values()) for levels in plan.values())
    async with open_servers(data) as desk, rewording(model, seed) as rewrite:
        if model is not None and preflight:
            await model.check()
        schemas = {tool.name: tool.input_schema for tool in desk.tools()}
        made = Generator(data, Runner(desk), schemas, seed, total, step, rewrite)
        tasks, endings = await made.generate(plan)
        return tasks, endings, made.kept


def _show(plan: Mapping[Domain, Mapping[str, int]], endings: Mapping[str, Counter[str]]) -> None:
    """Print how many drafts each cell took, and why the others came to nothing."""
    wanted = {f"{domain} {level}": many for domain, levels in plan.items() for level, many in levels.items()}
    rows: list[Sequence[Any]] = []
    for cell, found in endings.items():
        lost = [(reason, many) for reason, many in found.most_common() if reason != "taken"]
        share = f"{100 * found['taken'] / max(1, found.total()):.1f} %"
        rows.append((cell, wanted[cell], found["taken"], share, "; ".join(f"{r} {m:,}" for r, m in lost[:3])))
    columns = (Column("cell"), Column("wanted"), Column("found"), Column("yield"), Column("others ended by"))
    print_table(Table(columns, tuple(tuple(row) for row in rows)))
    for cell, found in endings.items():
        if found["taken"] < wanted[cell]:
            tell(f"Of {wanted[cell]} tasks of {cell} only {found['taken']} were found in this store.")
