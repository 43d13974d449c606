"""What crosses a process boundary: orders, assignments and results, as bytes."""

import struct
from typing import Literal

import orjson
from attrs import evolve, frozen

from recfw.engine.replay import Difference
from recfw.errors import DataError
from recfw.model.run import Attachment, RunSpec, Trial, TrialKey
from recfw.protocols import NO_FACILITIES, Facilities
from recfw.serialize import from_data, parse, to_data

_LENGTH = struct.Struct(">I")


@frozen
class WorkOrder:
    """
    What a worker needs to know of a run.

    Args:
        spec: What was asked.
        journal: Folder of the run's journal.
        cache: Folder for what can be rebuilt.
        facilities: How the run is carried out.
        job: Tells this order from those of other jobs (:mod:`recfw.executors.jobs`).
    """

    spec: RunSpec
    journal: str
    cache: str
    facilities: Facilities = NO_FACILITIES
    job: Literal["play"] = "play"


@frozen
class Assignment:
    """One attempt of a trial to be played; attempts count from 1."""

    key: TrialKey
    attempt: int


@frozen
class ReplayOrder:
    """
    What a worker needs to know to replay trials of a stored run; its assignments are packed keys of trials.

    Args:
        spec: What was asked.
        store: The result store's path or address.
        run: The run's id.
        cache: Folder for what can be rebuilt.
        job: Tells this order from those of other jobs.
    """

    spec: RunSpec
    store: str
    run: str
    cache: str
    job: Literal["replay"] = "replay"


@frozen
class Verdict:
    """
    What a replay found of one trial.

    Args:
        key: Which trial.
        apart: The first thing that differs.
        failure: Why it could not be replayed, as a sentence that names it.
    """

    key: TrialKey
    apart: Difference | None = None
    failure: str = ""


def pack_trial(trial: Trial) -> bytes:
    """Return a finished trial as bytes: a JSON header with the blobs' lengths, then the blobs as they are."""
    bare = evolve(trial, trace=b"", attachments=())
    kept = [(item.sha256, item.media_type, len(item.data)) for item in trial.attachments]
    header = orjson.dumps({"trial": to_data(bare), "trace": len(trial.trace), "attachments": kept})
    return b"".join([_LENGTH.pack(len(header)), header, trial.trace, *(item.data for item in trial.attachments)])


def unpack_trial(data: bytes) -> Trial:
    """Return the trial of :func:`pack_trial`; DataError where the bytes are cut off."""
    (length,) = _LENGTH.unpack_from(data)
    at = _LENGTH.size + length
    header = parse(data[_LENGTH.size : at], "a worker's result")
    trace, at = data[at : at + header["trace"]], at + header["trace"]
    attachments = []
    for sha256, media_type, size in header["attachments"]:
        attachments.append(Attachment(sha256, media_type, data[at : at + size]))
        at += size
    if at != len(data):
        raise DataError("a worker's result is cut off.")
    trial = from_data(header["trial"], Trial, "a worker's result")
    return evolve(trial, trace=trace, attachments=tuple(attachments))
