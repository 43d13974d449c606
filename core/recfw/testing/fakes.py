"""Fakes for tests of components: a context, a recorder, stored results, what a track may ask for."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from recfw.model.results import ResultRow, RunInfo
from recfw.model.run import Attachment, ComponentSpec, Limits, TrialKey
from recfw.model.task import Task
from recfw.model.trace import Event, Trace
from recfw.protocols import Catalog, Context, Retriever
from recfw.registry import Registry
from recfw.serialize import event_line, pack_trace


def context(role: str = "agent", task: str = "task", seed: int = 1) -> Context:
    """Return a component's context for one episode."""
    return Context(role, task, seed, Limits())


@define
class MemoryRecorder:
    """A recorder that keeps everything in memory (:class:`recfw.protocols.Recorder`)."""

    lines: list[bytes] = field(factory=list)
    kept: dict[str, Attachment] = field(factory=dict)

    def begin(self, key: TrialKey, attempt: int) -> None:  # noqa: ARG002 - the recorder protocol's signature
        """Start anew."""
        self.lines.clear()
        self.kept.clear()

    def append(self, event: Event) -> None:
        """Keep an event's line."""
        self.lines.append(event_line(event))

    def attach(self, data: bytes, media_type: str) -> str:
        """Keep a payload."""
        sha256 = hashlib.sha256(data).hexdigest()
        self.kept[sha256] = Attachment(sha256, media_type, data)
        return sha256

    def packed(self) -> bytes:
        """Return the packed trace."""
        return pack_trace(self.lines)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """What was attached."""
        return tuple(self.kept.values())


@define
class MemoryResults:
    """Stored results held in memory (:class:`recfw.model.results.Results`)."""

    runs: tuple[RunInfo, ...]
    tasks_by_run: Mapping[str, Mapping[str, Task]]
    rows_by_run: Mapping[str, Sequence[ResultRow]]
    traces: Mapping[tuple[str, str, str, int], Trace] = field(factory=dict)
    given: Mapping[str, Any] = field(factory=dict)

    def tasks(self, run: str) -> Mapping[str, Task]:
        """Return a run's tasks by id."""
        return self.tasks_by_run[run]

    def rows(self, run: str) -> Iterator[ResultRow]:
        """Yield a run's trials."""
        yield from self.rows_by_run[run]

    def trace(self, row: ResultRow) -> Trace:
        """Return one trial's trace."""
        return self.traces[row.run, row.cell, row.task, row.trial]

    def settings(self) -> Mapping[str, Any]:
        """Return the analysis settings."""
        return self.given


@define
class FolderResources:
    """What a track may ask for when it opens, from a registry and a folder (:class:`recfw.protocols.Resources`)."""

    registry: Registry
    cache: Path

    def retriever(self, name: str, options: Mapping[str, Any] | None = None) -> Retriever:
        """Return a new retriever by name."""
        made: Retriever = self.registry.create("retrievers", ComponentSpec(name, dict(options or {})))
        return made

    def catalog(self, name: str, options: Mapping[str, Any] | None = None) -> Catalog:
        """Return a new catalog by name."""
        made: Catalog = self.registry.create("catalogs", ComponentSpec(name, dict(options or {})))
        return made

    def names(self, kind: str) -> Sequence[str]:
        """Return the registered names of one kind."""
        return self.registry.names(kind)
