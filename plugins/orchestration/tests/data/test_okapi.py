"""The keyword index beside a plain Okapi BM25 over the same texts."""

import math
import sqlite3
from collections import Counter

import numpy as np
import pytest

from recfw.model.draws import Draws
from recfw_orchestration.data import okapi
from recfw_orchestration.data.schema import TABLES
from recfw_orchestration.data.text import STOPS, term_of, terms, tokens

WORDS = ("red", "blue", "green", "lamp", "lamps", "cable", "hub", "fast", "don't", "Stand", "straße", "cities")


def texts(count=60, seed=3):
    """Return documents of two fields."""
    draws = Draws(seed, "texts")
    return [
        {field: ". ".join(draws.choice(WORDS) for _ in range(draws.below(9))) for field in ("title", "text")}
        for _ in range(count)
    ]


def plain(documents, query):
    """Return the summed Okapi score of each document, by the formula."""
    scores = [0.0] * len(documents)
    for field in ("title", "text"):
        bags = [Counter(term_of(t) for t in tokens(one[field]) if t not in STOPS) for one in documents]
        mean = sum(sum(bag.values()) for bag in bags) / len(bags)
        for term in terms(query):
            n = sum(term in bag for bag in bags)
            idf = math.log(1 + (len(bags) - n + 0.5) / (n + 0.5))
            for number, bag in enumerate(bags):
                length = sum(bag.values()) / mean
                scores[number] += idf * bag[term] * 2.2 / (bag[term] + 1.2 * (0.25 + 0.75 * length)) if n else 0.0
    return scores


@pytest.fixture(scope="module")
def built():
    """Return a store with one corpus, added in three batches, and its documents."""
    documents = texts()
    db = sqlite3.connect(":memory:")
    db.executescript(TABLES)
    writer = okapi.IndexWriter(db, "c", ("title", "text"))
    for start in (0, 25, 50):
        batch = documents[start : start + 25]
        writer.add({field: [one[field] for one in batch] for field in ("title", "text")})
    writer.close()
    yield db, documents
    db.close()


def postings(db, term):
    """Return a term's documents and impacts."""
    row = db.execute("SELECT docs, impacts FROM postings WHERE corpus = 'c' AND term = ?", (term,)).fetchone()
    return (np.frombuffer(row[0], "<i4"), np.frombuffer(row[1], "<i4")) if row else None


@pytest.mark.parametrize("query", ["lamp", "red fast cable", "cities", "don't stand", "straße hub hub", "absent red"])
def test_scores_are_those_of_the_formula(built, query):
    """Impacts, summed over fields and batches, are Okapi's scores (k1 1.2, b 0.75) to the index's precision."""
    db, documents = built
    found = [one for term in terms(query) if (one := postings(db, term)) is not None]
    docs, scores = okapi.any_of(found, len(documents))
    expected = {number: score for number, score in enumerate(plain(documents, query)) if score}
    assert expected == pytest.approx(dict(zip(docs.tolist(), (scores / okapi.SCALE).tolist(), strict=True)), abs=1e-5)


def test_all_of_holds_documents_with_every_term(built):
    """A phrase's documents hold each of its terms."""
    db, documents = built
    docs, _ = okapi.all_of([postings(db, "red"), postings(db, "lamp")], len(documents))
    bags = [set(terms(f"{one['title']} {one['text']}")) for one in documents]
    assert [n for n, bag in enumerate(bags) if {"red", "lamp"} <= bag] == docs.tolist()


@pytest.mark.parametrize("limit", [1, 3, 5, 9, None])
def test_best_first_breaks_ties_by_position(limit):
    """Equal scores come in the order of documents, also where the limit falls among them."""
    scores = np.array([5, 7, 5, 7, 1, 5], dtype=np.int64)
    assert [1, 3, 0, 2, 5, 4][:limit] == okapi.best_first(np.arange(6), scores, limit).tolist()


STEMS = {"lamps": "lamp", "cities": "city", "glass": "glass", "bus": "bus", "cases": "case", "as": "as"}
STEMS |= {"don't": "dont", "shop's": "shop"}


@pytest.mark.parametrize("token", STEMS)
def test_terms_lose_plural_endings(token):
    """A query in the singular finds the plural, and the other way round."""
    assert STEMS[token] == term_of(token)


def test_query_is_read_up_to_a_limit():
    """A query of ten megabytes costs no more than one of four thousand characters."""
    assert 64 == len(terms(" ".join(f"w{n}" for n in range(1_000_000))))
