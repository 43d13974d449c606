"""What the fake tracks and components share: no options, no state between episodes, nothing to open."""

from contextlib import asynccontextmanager

from recfw.protocols import NoOptions, Track
from recfw.serialize import digest


class Played:
    """A deterministic component that is its own player."""

    Options, deterministic = NoOptions, True

    def __init__(self, options):
        self.options = options

    def episode(self, context):
        return self


class FakeTrack(Track):
    """A track whose world is one class, made anew for each episode."""

    Options, world, analyses = NoOptions, None, ("summary",)

    def __init__(self, options):
        self.options = options

    def content_digest(self):
        return digest(self.tasks())

    def validate(self):
        return []

    @asynccontextmanager
    async def open(self, resources):
        yield self

    @asynccontextmanager
    async def episode(self, task, context):
        yield self.world(task)
