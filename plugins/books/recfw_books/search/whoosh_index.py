"""
The second keyword retriever: a persistent Whoosh index with an exact Okapi weighting, equal in order to the default.

Whoosh's own weighting rounds field lengths to a byte, so the true ones are kept beside it. Scores are sums of the same
whole numbers as the default's (:func:`recfw_books.search.terms.impact`); doubles hold them exactly, so equal scores are
equal, and records are added in order of id, so that Whoosh breaks ties by id. No text is handed to a query parser, and
the optimiser, which hangs on some queries, is off.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, ClassVar

import orjson

from recfw.errors import DataError
from recfw.protocols import Hit, NoOptions
from recfw_books.search.terms import SCALE, impact, inverse_frequency, query_terms, terms

SCHEMA = 1
FACTS = "recfw.json"
"""The file beside an index that says what it is of; written last, so that a folder without it is none."""


class WhooshRetriever:
    """Okapi BM25 (k1 1.2, b 0.75) of each field, summed; the index is kept in ``cache``, built once for its items."""

    name: ClassVar[str] = "whoosh"
    summary: ClassVar[str] = "Okapi BM25 summed over fields, in a persistent Whoosh index"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"

    def __init__(self, options: Any = None) -> None:
        self.options = options
        self._searcher: Any = None
        self._fields: dict[str, list[int]] = {}

    def build(self, items: Iterable[tuple[str, Mapping[str, str]]], cache: Path | None = None) -> None:
        """
        Index (id, field -> text) pairs in place of what was there, or open the index that is kept of the same pairs.

        Raises:
            DataError: An id occurs twice, or the folder cannot be written.
        """
        ordered = sorted(((name, dict(texts)) for name, texts in items), key=lambda pair: pair[0])
        for (one, _), (other, _) in pairwise(ordered):
            if one == other:
                raise DataError(f"two records have the id {one!r}.", "Give every record an id of its own.")
        self.close()
        names = sorted({name for _, texts in ordered for name in texts})
        rows = [(item, [terms(texts.get(name, "")) for name in names]) for item, texts in ordered]
        self._fields = {name: [len(words[place]) for _, words in rows] for place, name in enumerate(names)}
        index = _opened(cache, names, rows) if cache is not None else _in_memory(names, rows)
        self._searcher = index.searcher(weighting=_weighting(self._fields))

    def search(self, query: str, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, best first; equal scores by id, ascending."""
        from whoosh.query import Or, Term  # noqa: PLC0415 - only a run with this retriever needs it

        wanted = query_terms(query)
        if not wanted or limit < 1 or self._searcher is None:
            return []
        asked = Or([Term(name, term) for name in self._fields for term in wanted])
        found = self._searcher.search(asked, limit=limit, optimize=False)
        return [Hit(found.fields(place)["id"], found.score(place) / SCALE) for place in range(found.scored_length())]

    def close(self) -> None:
        """Close the index."""
        if self._searcher is not None:
            self._searcher.close()
            self._searcher = None


Rows = Sequence[tuple[str, Sequence[Sequence[str]]]]


def _schema(names: Sequence[str]) -> Any:
    from whoosh.analysis import SpaceSeparatedTokenizer  # noqa: PLC0415
    from whoosh.fields import STORED, TEXT, Schema  # noqa: PLC0415

    fields: dict[str, Any] = {"id": STORED()}
    for name in names:
        fields[name] = TEXT(analyzer=SpaceSeparatedTokenizer(), phrase=False)
    return Schema(**fields)


def _write(index: Any, names: Sequence[str], rows: Rows) -> None:
    """Add every record, in order of id, as one segment."""
    writer = index.writer(limitmb=256)
    for item, words in rows:
        record: dict[str, Any] = {"id": item}
        for name, mine in zip(names, words, strict=True):
            record[name] = " ".join(mine)
        writer.add_document(**record)
    writer.commit(optimize=True)


def _in_memory(names: Sequence[str], rows: Rows) -> Any:
    from whoosh.filedb.filestore import RamStorage  # noqa: PLC0415

    index = RamStorage().create_index(_schema(names))
    _write(index, names, rows)
    return index


def _opened(folder: Path, names: Sequence[str], rows: Rows) -> Any:
    """Return the index that is kept of these records, made where there is none; other processes may make it too."""
    from whoosh.index import create_in, open_dir  # noqa: PLC0415

    facts = {"schema": SCHEMA, "records": len(rows), "fields": list(names), "sha256": _digest(rows)}
    if _facts(folder) != facts:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
            try:
                _write(create_in(made, _schema(names)), names, rows)
                (made / FACTS).write_bytes(orjson.dumps(facts))
                _put_in_place(made, folder, facts)
            finally:
                shutil.rmtree(made, ignore_errors=True)
        except OSError as error:
            raise DataError(
                f"{folder}: the index cannot be kept ({error.strerror}).", "Make room on the disk."
            ) from error
    return open_dir(folder, readonly=True)


def _put_in_place(made: Path, folder: Path, facts: Mapping[str, Any]) -> None:
    """Move a finished index to its place, unless another process was first; what stood there of other records goes."""
    if folder.exists() and _facts(folder) != facts:
        shutil.rmtree(folder)
    try:
        made.rename(folder)
    except OSError:
        if _facts(folder) != facts:
            raise


def _facts(folder: Path) -> Any:
    try:
        return orjson.loads((folder / FACTS).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None


def _digest(rows: Rows) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(orjson.dumps(row) + b"\n")
    return digest.hexdigest()


def _weighting(lengths: Mapping[str, Sequence[int]]) -> Any:
    """Return the weighting of an index of one segment; ``lengths``: field -> terms of each record, in order of id."""
    from whoosh.scoring import BaseScorer, WeightingModel  # noqa: PLC0415

    means = {field: sum(each) / max(len(each), 1) for field, each in lengths.items()}

    class Scorer(BaseScorer):  # type: ignore[misc]  # whoosh has no types
        """Scores the records that hold one term in one field."""

        def __init__(self, searcher: Any, field: str, term: bytes) -> None:
            self._lengths = lengths[field]
            self._mean = means[field]
            self._idf = inverse_frequency(searcher.doc_frequency(field, term), len(self._lengths))

        def supports_block_quality(self) -> bool:
            """Return False: every record is scored."""
            return False

        def max_quality(self) -> float:
            """Return no bound, which some matchers ask for all the same."""
            return inf

        def block_quality(self, matcher: Any) -> float:  # noqa: ARG002 - whoosh's signature
            """Return no bound."""
            return inf

        def score(self, matcher: Any) -> float:
            """Return what the term adds to the record's score, a whole number."""
            return float(impact(self._idf, int(matcher.weight()), self._lengths[matcher.id()], self._mean))

    class Okapi(WeightingModel):  # type: ignore[misc]  # whoosh has no types
        """The exact weighting."""

        def scorer(self, searcher: Any, fieldname: str, text: bytes, qf: int = 1) -> Any:  # noqa: ARG002 - whoosh's signature
            """Return the scorer of one term."""
            return Scorer(searcher, fieldname, text)

    return Okapi()
