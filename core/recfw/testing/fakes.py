"""Fakes for tests of components: a context, a recorder, what a track may ask for."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from recfw.model.run import Attachment, ComponentSpec, Limits, TrialKey
from recfw.model.trace import Event
from recfw.protocols import Catalog, Context, Retriever
from recfw.registry import Registry
from recfw.serialize import checksum, pack_trace, recorded_line


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
        self.lines.append(recorded_line(event, self.attach))

    def attach(self, data: bytes, media_type: str) -> str:
        """Keep a payload."""
        sha256 = hashlib.sha256(data).hexdigest()
        self.kept[sha256] = Attachment(sha256, media_type, data)
        return sha256

    def packed(self) -> bytes:
        """Return the packed trace."""
        return pack_trace(self.lines)

    @property
    def checksums(self) -> bytes:
        """The checksum of each event's line."""
        return b"".join(map(checksum, self.lines))

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """What was attached."""
        return tuple(self.kept.values())


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
