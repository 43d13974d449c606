"""The store's keyword index: a table of impacts per term, written in bounded memory, read a term at a time."""

import math
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from recfw_orchestration.data.text import Whole, Words, flat, term_numbers

# Okapi BM25 with the logarithm that is never negative (Robertson and Zaragoza 2009; the one of Lucene and bm25s).
K1, B = 1.2, 0.75
SCALE = 1 << 20
"""Impacts are whole multiples of 1/SCALE, so that sums do not depend on their order and ties are exact."""
_BUCKETS = 128
"""Groups of terms that are summed up one after the other, so that memory holds one of them."""
_PARTS = """
CREATE TEMP TABLE parts (bucket INTEGER, field INTEGER, part INTEGER, terms TEXT, sizes BLOB, docs BLOB, counts BLOB,
    PRIMARY KEY (bucket, field, part))
"""


@frozen
class Spoken:
    """A batch of texts: flat token numbers, tokens of each text, each token's term number (-1: none), the terms."""

    numbers: Whole
    lengths: Whole
    term_of: Whole
    terms: Sequence[str]


def spoken(texts: Iterable[str]) -> Spoken:
    """Return texts as numbers."""
    words = Words()
    numbers, lengths = flat(texts, words)
    return Spoken(numbers, lengths, *term_numbers(list(words)))


class IndexWriter:
    """
    Writes one corpus: documents are added in batches, in order; the impacts are summed over fields at the end.

    Args:
        db: A store that is being built.
        corpus: Its name there.
        fields: Names of the fields, each with lengths and frequencies of its own.
    """

    def __init__(self, db: sqlite3.Connection, corpus: str, fields: Sequence[str]) -> None:
        self._db = db
        self._corpus = corpus
        self._fields = tuple(fields)
        self._lengths: list[list[NDArray[np.int32]]] = [[] for _ in fields]
        self._parts = 0
        self._docs = 0
        db.execute("DROP TABLE IF EXISTS temp.parts")
        db.execute(_PARTS)

    def add(self, batch: Mapping[str, Sequence[str]]) -> dict[str, Spoken]:
        """Add documents (field -> their texts); return each field's texts as numbers."""
        read = {name: spoken(batch[name]) for name in self._fields}
        for field, name in enumerate(self._fields):
            self._add_field(field, read[name])
        self._docs += len(batch[self._fields[0]])
        self._parts += 1
        return read

    def _add_field(self, field: int, said: Spoken) -> None:
        size = max(len(said.lengths), 1)
        docs = np.repeat(np.arange(len(said.lengths)), said.lengths)
        term = said.term_of[said.numbers] if len(said.numbers) else said.numbers
        docs, term = docs[term >= 0], term[term >= 0]
        self._lengths[field].append(np.bincount(docs, minlength=len(said.lengths)).astype(np.int32))
        buckets = np.array([zlib.crc32(word.encode()) % _BUCKETS for word in said.terms], dtype=np.int64)
        order = np.argsort(buckets, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        keys, counts = np.unique(place[term] * size + docs, return_counts=True)
        starts = np.searchsorted(keys, np.arange(len(order) + 1) * size)
        edges = np.searchsorted(buckets[order], np.arange(_BUCKETS + 1)).tolist()
        docs_of = (keys % size + self._docs).astype("<i4")
        counts_of = np.minimum(counts, 255).astype(np.uint8)
        rows = []
        for bucket, (first, last) in enumerate(pairwise(edges)):
            if last > first:
                words = "\n".join(said.terms[n] for n in order[first:last].tolist())
                part = slice(int(starts[first]), int(starts[last]))
                sizes = np.diff(starts[first : last + 1]).astype("<i4").tobytes()
                rows.append(
                    (bucket, field, self._parts, words, sizes, docs_of[part].tobytes(), counts_of[part].tobytes())
                )
        self._db.executemany("INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def close(self) -> int:
        """Sum up impacts, write the postings, and return how many documents there are."""
        lengths = [np.concatenate(found) if found else np.zeros(0, np.int32) for found in self._lengths]
        asked = "SELECT field, terms, sizes, docs, counts FROM parts WHERE bucket = ? ORDER BY field, part"
        for bucket in range(_BUCKETS):
            rows = self._db.execute(asked, (bucket,)).fetchall()
            if rows:
                self._db.executemany("INSERT INTO postings VALUES (NULL, ?, ?, ?, ?)", self._impacts(rows, lengths))
        self._db.execute("DROP TABLE temp.parts")
        return self._docs

    def _impacts(
        self, rows: list[tuple[int, str, bytes, bytes, bytes]], lengths: Sequence[NDArray[np.int32]]
    ) -> Iterator[tuple[str, str, bytes, bytes]]:
        """Yield (corpus, term, documents, impacts) of the terms of some parts, which hold all of each term."""
        of_row = [row[1].split("\n") for row in rows]
        words = sorted({word for named in of_row for word in named})
        at = {word: n for n, word in enumerate(words)}
        sizes = np.frombuffer(b"".join(row[2] for row in rows), dtype="<i4")
        docs = np.frombuffer(b"".join(row[3] for row in rows), dtype="<i4").astype(np.int64)
        counts = np.frombuffer(b"".join(row[4] for row in rows), dtype=np.uint8).astype(np.float64)
        term = np.repeat(np.array([at[word] for named in of_row for word in named]), sizes)
        field = np.repeat(np.array([row[0] for row in rows]), [len(row[4]) for row in rows])
        impacts = np.zeros(len(docs), dtype=np.float64)
        for number, of_field in enumerate(lengths):
            here = field == number
            if here.any():
                holding = np.bincount(term[here], minlength=len(words))
                idf = np.array([inverse_frequency(n, self._docs) for n in holding.tolist()])[term[here]]
                ratio = of_field[docs[here]] / of_field.mean()
                saturation = counts[here] * (K1 + 1) / (counts[here] + K1 * (1 - B + B * ratio))
                impacts[here] = np.rint(idf * saturation * SCALE)
        keys, where = np.unique(term * self._docs + docs, return_inverse=True)
        # Whole numbers below 2^53: the float sums are exact.
        summed = np.bincount(where, weights=impacts)
        starts = (np.searchsorted(keys, np.arange(len(words) + 1) * self._docs) * 4).tolist()
        docs_of = (keys % self._docs).astype("<i4").tobytes()
        impacts_of = summed.astype("<i4").tobytes()
        for word, (a, b) in zip(words, pairwise(starts), strict=True):
            yield self._corpus, word, docs_of[a:b], impacts_of[a:b]


def inverse_frequency(n: int, size: int) -> float:
    """Return the weight of a term that n of ``size`` documents hold."""
    return math.log(1 + (size - n + 0.5) / (n + 0.5))


Postings = tuple[NDArray[np.int32], NDArray[np.int32]]


def any_of(found: Sequence[Postings], size: int) -> tuple[Whole, Whole]:
    """Return documents (of ``size`` in all) that hold at least one term, ascending, and their summed impacts."""
    scores = np.zeros(size, dtype=np.int64)
    for docs, impacts in found:
        scores[docs] += impacts
    holding = np.flatnonzero(scores)
    return holding, scores[holding]


def all_of(found: Sequence[Postings], size: int) -> tuple[Whole, Whole]:
    """Return documents (of ``size`` in all) that hold every term, ascending, and their summed impacts."""
    holding = np.zeros(size, dtype=np.int64)
    for holders, _ in found:
        holding[holders] += 1
    docs, scores = any_of(found, size)
    whole = holding[docs] == len(found)
    return docs[whole], scores[whole]


def best_first(docs: Whole, scores: Whole, limit: int | None = None) -> Whole:
    """Return positions in ``docs`` by score, highest first, equal ones by document; the first ``limit`` of them."""
    if limit is not None and limit < len(docs):
        # The limit-th highest score: all above it, and the first of those that equal it.
        edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        above = np.flatnonzero(scores > edge)
        equal = np.flatnonzero(scores == edge)[: limit - len(above)]
        above = above[np.argsort(-scores[above], kind="stable")]
        return np.concatenate([above, equal])
    return np.argsort(-scores, kind="stable")
