"""What a bundle says of itself: who signs it off, which run it holds, and the digests of its parts."""

import re
from typing import Any

from attrs import Factory, field, frozen

from recfw.errors import DataError, UsageError
from recfw.secrets import Secrets
from recfw.serialize import from_data, parse

BUNDLE_SCHEMA = 1
MANIFEST, FIGURES, RUN, SEAL = "manifest.json", "figures.json", "run.jsonl.gz", "seal"
"""A bundle's parts, in the order in which they stand in its file."""

STATEMENT = (
    "This is one run as recfw recorded it: nothing of it was left out, chosen among repetitions or altered by hand. "
    "It may be published, with what is declared here."
)
"""What whoever signs a bundle off declares."""

LONGEST = 2000
"""Characters of one declared field at most."""

_SHA = re.compile(r"[0-9a-f]{64}")
_WEB = re.compile(r"https://[A-Za-z0-9][A-Za-z0-9.-]*(:\d{1,5})?(/[\w.~/@#=+%?&,-]*)?", re.ASCII)


def _sha(_: Any, attribute: Any, value: str) -> None:
    if not _SHA.fullmatch(value):
        raise ValueError(f"{attribute.name} is no SHA-256")


def _said(_: Any, attribute: Any, value: str) -> None:
    if len(value) > LONGEST or "\0" in value:
        raise ValueError(f"{attribute.name} is longer than {LONGEST:,} characters, or holds a zero character")


def _named(_: Any, attribute: Any, value: str) -> None:
    _said(_, attribute, value)
    if not value.strip():
        raise ValueError(f"{attribute.name} is empty")


def _address(_: Any, attribute: Any, value: str) -> None:
    if value and (len(value) > LONGEST or not _WEB.fullmatch(value)):
        raise ValueError(f"{attribute.name} is no https:// address")


@frozen
class SignOff:
    """
    Who answers for a bundle, and what they declare.

    Args:
        name: A person or a group.
        contact: Where to reach them; it is shown as text.
        system: What was evaluated, in a few sentences: models, prompts, training on this track's tasks if any.
        homepage: An https:// address of a paper or repository; may be empty.
        statement: What they declare (:data:`STATEMENT`).
    """

    name: str = field(validator=_named)
    contact: str = field(validator=_named)
    system: str = field(validator=_named)
    homepage: str = field(default="", validator=_address)
    statement: str = field(default=STATEMENT, validator=_said)


@frozen
class Digests:
    """
    What was asked, and of what.

    Args:
        spec: Digest of the run's specification.
        content: Track -> digest of its content (catalog, tasks, prompts, rules).
        tasks: Digest of the tasks that were played, by cell and id: a part of the content's, or all of it.
    """

    spec: str = field(validator=_sha)
    content: dict[str, str]
    tasks: str = field(validator=_sha)


@frozen
class Counts:
    """How many trials were planned, how many completed, and how many infrastructure ended (failed)."""

    planned: int
    completed: int
    failed: int


@frozen
class Written:
    """What wrote the bundle: recfw's and Python's versions, and the platform."""

    recfw: str
    python: str
    platform: str


@frozen
class Environment:
    """``played``: distribution or component -> version, as the run recorded it; ``written``: what wrote the bundle."""

    played: dict[str, str]
    written: Written


@frozen
class Part:
    """One part of a bundle: its name, its size in bytes and its SHA-256 (hex)."""

    name: str
    size: int
    sha256: str = field(validator=_sha)


@frozen
class Manifest:
    """
    A bundle's first part.

    Args:
        recfw_bundle: Schema of bundles.
        run, plugin, track: Which run, of what.
        cells: The cells that are submitted, in the run's order; others of the run are there to be compared with.
        signed_off: Who answers for it.
        digests: What was asked, and of what.
        counts: Its trials.
        environment: Versions and platform.
        redacted: How many values that looked like credentials were replaced.
        parts: The parts that follow.
    """

    recfw_bundle: int
    run: str
    plugin: str
    track: str
    cells: tuple[str, ...]
    signed_off: SignOff
    digests: Digests
    counts: Counts
    environment: Environment
    redacted: int = 0
    parts: tuple[Part, ...] = Factory(tuple)


def read_manifest(data: bytes) -> Manifest:
    """
    Return a bundle's manifest.

    Raises:
        DataError: It is none, of a newer schema, or names other parts than a bundle has.
    """
    found = parse(data, MANIFEST)
    if isinstance(found, dict) and found.get("recfw_bundle") != BUNDLE_SCHEMA:
        schema = found.get("recfw_bundle")
        raise DataError(f"{MANIFEST}: bundles of schema {schema!r} are not known to this version.", "Upgrade recfw.")
    manifest = from_data(found, Manifest, MANIFEST)
    if [part.name for part in manifest.parts] != [FIGURES, RUN]:
        raise DataError(f"{MANIFEST}: names other parts than {FIGURES} and {RUN}.")
    if not manifest.cells or len(set(manifest.cells)) < len(manifest.cells):
        raise DataError(f"{MANIFEST}: names no cell, or one twice.")
    return manifest


def sign_off(name: str, contact: str, system: str, homepage: str, secrets: Secrets) -> SignOff:
    """
    Return what somebody declares.

    Raises:
        UsageError: A field is empty or too long, the homepage is no https:// address, or one holds a credential.
    """
    given = {"name": name, "contact": contact, "system": system, "homepage": homepage}
    for option, text in given.items():
        found = secrets.find(text)
        if found:
            raise UsageError(f"--{option} holds what looks like {found[0].kind}: {found[0].masked}.", "Leave it out.")
    try:
        return SignOff(**{option: text.strip() for option, text in given.items()})
    except ValueError as error:
        raise UsageError(f"--{error}.", "It is published as it stands: mend it.") from error
