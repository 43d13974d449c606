"""Checking a bundle: is it whole, does it say what its run says, and does this installation come to the same."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol

from attrs import define, field, frozen

from recfw.errors import RecfwError
from recfw.executors.conductor import versions_of
from recfw.executors.interrupt import run_interruptible
from recfw.executors.replays import TRIALS_A_WORKER, Replay, sample
from recfw.model.run import TrialKey
from recfw.registry import Registry
from recfw.store.results import StoredResults
from recfw.submission.figures import apart, figures_of
from recfw.submission.opening import Bundle, contradictions
from recfw.submission.rescoring import rescore
from recfw.submission.verdict import Finding, Outcome

SHOWN = 5
"""Differences of a replay that are told; the others are counted."""


class Shown(Protocol):
    """Is told of work that is done."""

    def step(self) -> None:
        """One more is done."""
        ...


class _Silence:
    def step(self) -> None:
        pass


Progress = Callable[[str, int], AbstractContextManager[Shown]]
"""Shows progress: of what, and how many there are."""


@frozen
class Extent:
    """
    How much of a bundle is played again.

    Args:
        replay: Whether any trial is.
        sample: How many, always the same ones; None for all.
        workers: Most worker processes.
    """

    replay: bool = True
    sample: int | None = None
    workers: int = 1


@define
class Verification:
    """
    The checks of one bundle, in order; a check that cannot be made is told, and the next is made.

    Args:
        bundle: The bundle, taken apart: that it is whole has been seen.
        registry: What is installed here.
        cache: A folder for what can be rebuilt.
        extent: How much is played again.
        progress: Shows how far it is.
        interrupted: Signals that broke it off; then what is left was not checked.
        other_versions: Whether the run was played with other versions than are installed: a replay that differs tells
            nothing then.
    """

    bundle: Bundle
    registry: Registry
    cache: Path
    extent: Extent = field(factory=Extent)
    progress: Progress = lambda _what, _total: nullcontext(_Silence())
    interrupted: list[int] = field(factory=list)
    other_versions: bool = False

    def findings(self) -> Iterator[Finding]:
        """Yield what is found, as soon as it is."""
        yield self._said(contradictions(self.bundle), "what is declared", "the manifest says what the run says")
        yield from self._tried("figures", self._figures)
        yield from self._versions()
        yield from self._tried("scores", self._rescored)
        yield from self._tried("replay", self._replayed)

    def _said(self, words: Sequence[str], topic: str, otherwise: str) -> Finding:
        return Finding(topic, Outcome.DIFFERS, "; ".join(words)) if words else Finding(topic, Outcome.SAME, otherwise)

    def _figures(self) -> Iterator[Finding]:
        found = figures_of(self.registry, StoredResults(self.bundle.store, [self.bundle.run.id]))
        words = apart(self.bundle.figures, found)
        cells = len(self.bundle.manifest.cells)
        told = f"computed anew from the stored scores, they are those declared ({cells} cell{'s'[: cells != 1]})"
        yield self._said([words] if words else [], "figures", told)

    def _versions(self) -> Iterator[Finding]:
        try:
            here = versions_of(self.registry, self.bundle.run.spec)
        except RecfwError:
            return  # the next check says what is not installed
        held = self.bundle.run.versions
        others = [f"{name} {held.get(name, 'absent')}, here {here.get(name, 'absent')}"
                  for name in sorted(held.keys() | here.keys()) if held.get(name) != here.get(name)]  # fmt: skip
        self.other_versions = bool(others)
        if others:
            yield Finding("versions", Outcome.NOTE, f"it was played with other versions: {'; '.join(others)}")

    def _tried(self, topic: str, checks: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
        """Yield the findings of a check, or why it could not be made."""
        if self.interrupted:
            yield Finding(topic, Outcome.UNCHECKED, "broken off before")
            return
        try:
            yield from checks()
        except RecfwError as error:
            yield Finding(topic, Outcome.UNCHECKED, str(error).rstrip("."))

    def _rescored(self) -> Iterator[Finding]:
        bundle = self.bundle
        with self.progress("trials scored", bundle.manifest.counts.completed) as shown:
            found = rescore(bundle.store, bundle.run, self.registry, shown.step)
        if found.differing:
            more = f"; and {found.differing - len(found.examples):,} more" * (found.differing > len(found.examples))
            words = f"{found.differing:,} of {found.trials:,} trials are scored otherwise here: "
            yield Finding("scores", Outcome.DIFFERS, words + "; ".join(found.examples) + more)
        else:
            yield Finding("scores", Outcome.SAME, f"{found.trials:,} trials scored anew from their traces")
        if found.others:
            given = ", ".join(f"{scorer} ({number:,})" for scorer, number in sorted(found.others.items()))
            words = "taken as declared, for they come from judges, or metrics that this installation does not have"
            yield Finding("scores", Outcome.UNCHECKED, f"{words}: {given}")

    def _replayed(self) -> Iterator[Finding]:
        bundle, extent = self.bundle, self.extent
        if not extent.replay:
            yield Finding("replay", Outcome.UNCHECKED, "left out, as asked")
            return
        done = bundle.store.done_keys(bundle.run.id)
        keys = sorted(done) if extent.sample is None else sample(done, extent.sample, seed=0)
        again = Replay(bundle.store, str(bundle.place), self.registry, bundle.run, self.cache)
        tasks = again.tasks()
        self._play(again, keys)
        found = [*tasks, *again.findings(others=not self.interrupted)]
        if found:
            more = f"; and {len(found) - SHOWN:,} more" * (len(found) > SHOWN)
            words = "; ".join(one.words for one in found[:SHOWN]) + more
            if self.other_versions:
                told = "it goes otherwise here, with other versions; install those that it was played with to tell: "
                yield Finding("replay", Outcome.UNCHECKED, told + words)
            else:
                yield Finding("replay", Outcome.DIFFERS, words)
        else:
            yield Finding("replay", Outcome.SAME, f"{again.done:,} trials played again, event by event{self._read()}")
        if again.done < len(done):
            words = f"{len(done) - again.done:,} of {len(done):,} completed trials were not played again"
            yield Finding("replay", Outcome.UNCHECKED, words)

    def _play(self, again: Replay, keys: Sequence[TrialKey]) -> None:
        workers = min(self.extent.workers, len(keys) // TRIALS_A_WORKER)
        with self.progress("trials replayed", len(keys)) as shown:
            try:
                run_interruptible(lambda: again.replay(keys, workers, shown.step), self.interrupted, "Stopped at once.")
            except (KeyboardInterrupt, asyncio.CancelledError):
                self.interrupted = self.interrupted or [2]

    def _read(self) -> str:
        """Return which components' replies were read from the traces, as a clause."""
        spec = self.bundle.run.spec
        roles = self.registry.find("tracks", spec.track).roles
        parts = {(role, part.name): roles[role].kind for cell in spec.cells for role, part in cell.roles.items()}
        models = {part for part, kind in parts.items() if not self._deterministic(kind, part[1])}
        named = [f"{role} {name}" for role, name in sorted(models)]
        return f"; replies of models ({', '.join(named)}) were read from the traces" if named else ""

    def _deterministic(self, kind: str, name: str) -> bool:
        component: Any = self.registry.find(kind, name)
        return bool(getattr(component, "deterministic", False))
