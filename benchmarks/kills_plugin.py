"""
The plugin that killed runs play with (RECFW_PLUGINS=…,kills_plugin): agents that note what they play, and an observer
that notes what it is told. Both append to files that recfw never reads, so that what is checked has other witnesses.

KILLS_PLAYED takes a line from an agent where it begins an episode: "SEED PID". KILLS_TOLD takes a JSON line from the
observer for each hook that it sees. Either may be unset, and then nothing is noted.
"""

import asyncio
import hashlib
import json
import os
from importlib import import_module
from importlib.util import find_spec

from recfw.hookspecs import hookimpl

SECONDS = 0.01
"""What a watched agent waits before each reply, so that a kill finds episodes in progress."""

WATCHED = (
    ("fakes.dialogue", "Asker"),
    ("fakes.pictures", "Guide"),
    ("fakes.rounds", "Planner"),
    ("recfw_books.agents.eliminating", "Eliminating"),
)


def note(variable, line):
    """Append one line with one write, which no kill tears."""
    place = os.environ.get(variable)
    if place:
        handle = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(handle, line.encode() + b"\n")
        os.close(handle)


class Watching:
    """A player that notes its first reply, waits, and lets the agent's own player reply."""

    def __init__(self, player, context):
        self.player, self.seed = player, context.seed

    async def reply(self, view):
        if self.seed is not None:
            note("KILLS_PLAYED", f"{self.seed} {os.getpid()}")
            self.seed = None
        await asyncio.sleep(SECONDS)
        return await self.player.reply(view)


def watched(base):
    """Return the agent class, its players watched."""

    def episode(self, context):
        return Watching(base.episode(self, context), context)

    return type(f"Watched{base.__name__}", (base,), {"name": f"watched-{base.name}", "episode": episode})


@hookimpl
def recfw_register_agents():
    here = [(module, name) for module, name in WATCHED if find_spec(module.partition(".")[0])]
    return [watched(getattr(import_module(module), name)) for module, name in here]


@hookimpl
def recfw_run_started(run, pending):
    note("KILLS_TOLD", json.dumps({"hook": "started", "run": run.id, "pending": pending}))


@hookimpl
def recfw_trial_finished(run, trial):
    key = [trial.key.cell, trial.key.task, trial.key.trial, trial.attempt]
    told = {"hook": "trial", "run": run.id, "key": key, "status": trial.status.value}
    note("KILLS_TOLD", json.dumps({**told, "trace": hashlib.sha256(trial.trace).hexdigest()}))


@hookimpl
def recfw_run_finished(run, status):
    note("KILLS_TOLD", json.dumps({"hook": "finished", "run": run.id, "status": status}))
