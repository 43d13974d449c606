"""An executor of a plugin, which can be told to do it wrong: loaded by RECFW_PLUGINS=fakes.plugin,fakes.carrying."""

import json
from pathlib import Path

from attrs import asdict, evolve, field, frozen, validators

from recfw.executors.jobs import job_of
from recfw.executors.parcels import pack_trial, unpack_trial
from recfw.hookspecs import hookimpl
from recfw.protocols import Executor

FAULTS = ("", "raises", "exits", "loses", "doubles", "invents", "mangles")


@frozen
class CarryingOptions:
    """
    Options.

    Args:
        concurrency: How many trials at a time it is told to play; it plays one.
        note: A file to which it adds a line of its options each time that it is asked.
        fault: What it does wrong, one of ``FAULTS``.
    """

    concurrency: int = 1
    note: str = ""
    fault: str = field(default="", validator=validators.in_(FAULTS))


class CarryingExecutor(Executor):
    """Plays one trial after the other."""

    name = "fake-carrying"
    summary = "one trial after the other"
    Options = CarryingOptions

    def __init__(self, options):
        self.options = options

    async def execute(self, order, keys, deliver):
        """Play every trial, and go wrong with the last where that is asked."""
        fault = self.options.fault
        if self.options.note:
            with Path(self.options.note).open("a") as file:
                file.write(json.dumps(asdict(self.options)) + "\n")
        async with job_of(order)(order) as worker:
            parcels = [await worker.run(key) for key in keys]
        for parcel in parcels[:-1] if fault == "loses" else parcels:
            deliver(parcel)
        last = unpack_trial(parcels[-1])
        match fault:
            case "raises":
                raise ValueError("no such machine")
            case "exits":
                raise SystemExit(0)
            case "doubles":
                deliver(parcels[-1])
            case "invents":
                deliver(pack_trial(evolve(last, key=evolve(last.key, task="dreamt"))))
            case "mangles":
                deliver(b"no trial")


@hookimpl
def recfw_register_executors():
    """Offer it."""
    return [CarryingExecutor]
