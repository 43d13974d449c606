"""What came of checking a bundle: one finding a question, and the verdict that they come to; kept as a small file."""

import os
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

import orjson
from attrs import Factory, frozen

from recfw.errors import DataError, RecfwError
from recfw.serialize import loads, to_data
from recfw.store.faults import disk_fault

LARGEST = 1 << 20
"""Bytes of a verdict's file at most."""


class Outcome(StrEnum):
    """How one question was answered."""

    SAME = "same"
    DIFFERS = "differs"
    UNCHECKED = "unchecked"
    NOTE = "note"
    """Worth knowing; it neither confirms nor contradicts."""


@frozen
class Finding:
    """One question (``topic``, in a word or two), its outcome, and what was found in words without a full stop."""

    topic: str
    outcome: Outcome
    words: str


VERIFIED, PARTLY, CONTRADICTED, OPEN = "verified", "partly verified", "differs", "not verified"


@frozen
class Verdict:
    """
    All findings on one bundle.

    Args:
        sha256: Of the bundle's whole file; empty where it could not be read to its end.
        recfw: The version of recfw that checked it.
        findings: In the order in which they were made.
    """

    sha256: str
    recfw: str = Factory(lambda: version("recfw"))
    findings: tuple[Finding, ...] = ()

    @property
    def word(self) -> str:
        """Return ``verified``, ``partly verified`` (something could not be checked) or ``differs``."""
        outcomes = {finding.outcome for finding in self.findings}
        if Outcome.DIFFERS in outcomes:
            return CONTRADICTED
        return PARTLY if Outcome.UNCHECKED in outcomes else VERIFIED


def keep(verdict: Verdict, folder: Path) -> Path:
    """
    Keep a verdict in a folder, under its bundle's SHA-256, in the place of an earlier one; return its file.

    Raises:
        StoreError: The disk refuses.
    """
    path = folder / f"{verdict.sha256}.json"
    part = path.with_name(f".{path.name}-{os.getpid()}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_bytes(orjson.dumps(to_data(verdict), option=orjson.OPT_INDENT_2) + b"\n")
        part.replace(path)
    except OSError as error:
        raise disk_fault(error, path, "--record") from error
    return path


def kept(sha256: str, folder: Path | None) -> Verdict | None:
    """
    Return the verdict on a bundle that a folder holds; None where there is none.

    Raises:
        DataError: What it holds under that name is no verdict on this bundle.
    """
    if folder is None or not (path := folder / f"{sha256}.json").is_file():
        return None
    try:
        with path.open("rb") as file:
            found = loads(file.read(LARGEST), Verdict, str(path))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from error
    except RecfwError as error:
        error.hint = "Have the bundle verified again: recfw verify BUNDLE --record FOLDER"
        raise
    if found.sha256 != sha256:
        raise DataError(f"{path}: is a verdict on another bundle.", "Remove it, and have this bundle verified.")
    return found
