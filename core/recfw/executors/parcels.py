"""What crosses a process boundary: work orders, assignments and finished trials, as bytes."""

import struct

import orjson
from attrs import evolve, frozen

from recfw.errors import DataError
from recfw.model.run import Attachment, RunSpec, Trial, TrialKey
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
    """

    spec: RunSpec
    journal: str
    cache: str


@frozen
class Assignment:
    """One attempt of a trial to be played; attempts count from 1."""

    key: TrialKey
    attempt: int


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
