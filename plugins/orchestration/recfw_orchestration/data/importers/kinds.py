"""What a file is: its family, kind and release, told by its first records and never by its name."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import frozen

from recfw.errors import DataError
from recfw_orchestration.data.importers import amazon, foursquare, yelp
from recfw_orchestration.data.importers.lines import LineReader, record
from recfw_orchestration.data.records import Domain
from recfw_orchestration.data.staging import Row

_LOOKED_AT = 20
"""Records whose keys, together, tell what a file is: in some releases a record leaves keys out."""

Parse = Callable[[Mapping[str, Any]], Sequence[Row] | str]


@frozen
class Family:
    """Files that belong together: the option that names them, the domain that they fill."""

    option: str
    domain: Domain
    about: str


FAMILIES = {
    "amazon": Family("--amazon", "electronics", "Amazon Reviews (2014, 2018 or 2023)"),
    "yelp": Family("--yelp", "local", "Yelp Open Dataset"),
    "foursquare": Family("--foursquare", "places", "Foursquare check-ins (TSMC2014)"),
}


@frozen
class Kind:
    """A kind of file: family, what its records are (``item``, ``review`` …), release, and how a record is read."""

    family: str
    rows: str
    release: str

    @property
    def about(self) -> str:
        """Words for people."""
        release = f" of {self.release}" if self.release else ""
        return f"{self.family.capitalize()} {self.rows}s{release}"


def _single(parse: Callable[[Mapping[str, Any]], Row | str]) -> Parse:
    """Return a parser of records that make one row each."""

    def parsed(read: Mapping[str, Any]) -> Sequence[Row] | str:
        found = parse(read)
        return found if isinstance(found, str) else (found,)

    return parsed


PARSERS: Mapping[tuple[str, str], Parse] = {
    ("amazon", "item"): _single(amazon.item),
    ("amazon", "review"): _single(amazon.review),
    ("yelp", "item"): _single(yelp.item),
    ("yelp", "review"): _single(yelp.review),
    ("yelp", "tip"): _single(yelp.tip),
    ("yelp", "checkin"): yelp.checkins,
    ("yelp", "user"): _single(yelp.user),
}
"""(family, kind of record) -> how a record is read; lines of Foursquare are no records."""


def kind_of(path: Path) -> Kind | None:
    """
    Return what a file is, None where it is nothing that is known.

    Raises:
        DataError: It cannot be read, or is damaged before its first record ends.
    """
    keys: set[str] = set()
    try:
        for line in islice(LineReader(path), _LOOKED_AT):
            if foursquare.is_line(line):
                return Kind("foursquare", "checkin", "")
            if line.strip():
                keys |= set(record(line))
    except (ValueError, UnicodeError):
        pass
    except DataError:
        # A short file that is cut off may still hold whole records before the cut.
        if not keys:
            raise
    found = amazon.release_of(keys)
    if found is not None and "business_id" not in keys:
        return Kind("amazon", *found)
    of_yelp = yelp.kind_of(keys)
    return Kind("yelp", of_yelp, "") if of_yelp is not None else None
