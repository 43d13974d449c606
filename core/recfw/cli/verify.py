"""``recfw verify``: a bundle held against what this installation comes to."""

import os
import signal
import tempfile
from pathlib import Path

import click
import orjson

from recfw.cli.common import registry_of
from recfw.cli.measures import read_size
from recfw.cli.output import chatter, tell
from recfw.cli.progress import progress
from recfw.errors import DataError, ExitCode, UsageError
from recfw.registry import Registry
from recfw.report.words import one_line
from recfw.serialize import to_data
from recfw.submission.opening import open_bundle
from recfw.submission.verdict import CONTRADICTED, Finding, Outcome, Verdict, keep
from recfw.submission.verifying import Extent, Verification

_MARKS = {
    Outcome.SAME: ("ok", "green"),
    Outcome.NOTE: ("note", None),
    Outcome.UNCHECKED: ("unchecked", "yellow"),
    Outcome.DIFFERS: ("DIFFERS", "red"),
}


@click.command()
@click.argument("bundle", metavar="BUNDLE")
@click.option("--sample", metavar="N", type=click.IntRange(1), help="Replay only N trials, always the same ones.")
@click.option("--no-replay", is_flag=True, help="Replay none: look at parts, figures and scores alone.")
@click.option(
    "--workers", metavar="N", type=click.IntRange(0), help="Worker processes; 0 replays in this one. [default: cores]"
)
@click.option("--record", metavar="FOLDER", help="Keep the verdict there, for `recfw leaderboard --verdicts`.")
@click.option("--max-size", metavar="SIZE", callback=read_size, help="Most that its run may unpack to, such as 20GB.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def verify(
    ctx: click.Context,
    bundle: str,
    sample: int | None,
    workers: int | None,
    record: str | None,
    max_size: int | None,
    *,
    no_replay: bool,
    as_json: bool,
) -> int:
    """
    Check a bundle of `recfw submit`: its parts, its figures, its scores, and by playing its trials again.

    Scores are computed anew from the traces with the metrics installed here, figures anew from the scores, and trials
    are replayed as by `recfw replay`. What cannot be checked (a plugin that is missing, other content, a judge) is
    said. Exit status 1 when anything differs. Nothing enters your store.

    Replaying runs the installed plugins with the options that the bundle names: check bundles of strangers in a
    container.
    """
    if sample and no_replay:
        raise UsageError("--sample and --no-replay exclude each other.", "Leave one of them out.")
    if record == "":
        raise UsageError("--record is empty.", "Give it the name of a folder, or leave it out.")
    extent = Extent(not no_replay, sample, _cores() if workers is None else workers)
    stopped: list[int] = []
    verdict = _verdict(Path(bundle), registry_of(ctx), extent, max_size, stopped, as_json=as_json)
    if as_json:
        click.echo(orjson.dumps({"verdict": verdict.word, **to_data(verdict)}, option=orjson.OPT_INDENT_2))
    else:
        click.echo(f"{bundle}: {verdict.word}" + (f" (SHA-256 {verdict.sha256})" if verdict.sha256 else ""))
    if stopped:
        tell("Interrupted: the verdict is not kept.")
        return ExitCode.TERMINATED if signal.SIGTERM in stopped else ExitCode.INTERRUPTED
    if record and verdict.sha256:
        chatter(f"Kept in {keep(verdict, Path(record))}.")
    return ExitCode.FOUND if verdict.word == CONTRADICTED else ExitCode.DONE


def _cores() -> int:
    """Return on how many cores this process may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _verdict(
    path: Path, registry: Registry, extent: Extent, limit: int | None, stopped: list[int], *, as_json: bool
) -> Verdict:
    """Return the verdict; findings are shown as they are made."""
    findings: list[Finding] = []

    def found(finding: Finding) -> None:
        findings.append(finding)
        if not as_json:
            click.echo(_line(finding))

    with tempfile.TemporaryDirectory(prefix="recfw-verify-") as scratch:
        try:
            with open_bundle(path, Path(scratch), limit) as bundle:
                declared = bundle.manifest.signed_off
                if not as_json:
                    words = f"by {declared.name} ({declared.contact}): {declared.system}"
                    click.echo(_line(Finding("signed off", Outcome.NOTE, words)))
                counts = bundle.manifest.counts
                words = f"run {bundle.run.id} of the track {bundle.run.spec.track}, {counts.completed:,} trials"
                found(Finding("parts", Outcome.SAME, f"whole, each with its SHA-256: {words}"))
                checks = Verification(bundle, registry, Path(scratch) / "cache", extent, progress, stopped)
                for finding in checks.findings():
                    found(finding)
                return Verdict(bundle.sha256, findings=tuple(findings))
        except DataError as error:
            found(Finding("parts", Outcome.DIFFERS, str(error)))
            return Verdict("", findings=tuple(findings))


def _line(finding: Finding) -> str:
    mark, colour = _MARKS[finding.outcome]
    return f"{click.style(f'{mark:9}', fg=colour)} {finding.topic:16} {one_line(finding.words)}"
