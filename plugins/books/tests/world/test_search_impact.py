"""The default keyword retriever against a plain reading of the formula."""

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.model.draws import Draws
from recfw_books.catalog.records import BookCatalog
from recfw_books.search.impact import ImpactRetriever, _best
from recfw_books.search.terms import SCALE, impact, inverse_frequency, terms
from recfw_books.tools import indexed

from .conftest import COUNTRIES, LANGUAGES, NAMES, WORDS


class Oracle:
    """Okapi BM25 summed over fields, record by record and term by term, in whole numbers."""

    def __init__(self, items: list[tuple[str, dict[str, str]]]) -> None:
        self.items = items
        self.counts = [{name: Counter(terms(text)) for name, text in texts.items()} for _, texts in items]
        self.names = sorted(items[0][1])
        self.means = {n: sum(c[n].total() for c in self.counts) / len(items) for n in self.names}
        self.holding = {n: Counter(term for c in self.counts for term in c[n]) for n in self.names}

    def search(self, query: str, limit: int) -> list[tuple[str, int]]:
        wanted = dict.fromkeys(terms(query))
        scores = []
        for (item_id, _), counts in zip(self.items, self.counts, strict=True):
            score = sum(
                impact(
                    inverse_frequency(self.holding[n][term], len(self.items)),
                    counts[n][term],
                    counts[n].total(),
                    self.means[n],
                )
                for n in self.names
                for term in wanted
                if counts[n][term]
            )
            if score:
                scores.append((item_id, score))
        return sorted(scores, key=lambda one: (-one[1], one[0]))[:limit]


@pytest.fixture(scope="module")
def retriever(catalog: BookCatalog) -> ImpactRetriever:
    """Return the index of the random catalog."""
    made = ImpactRetriever()
    made.build(indexed(catalog))
    return made


def test_thousands_of_queries_are_answered_in_the_exact_order_and_score(
    catalog: BookCatalog, retriever: ImpactRetriever
) -> None:
    """Every one of 2,000 random queries gives the oracle's ids, order and whole-number scores."""
    oracle, draws = Oracle(indexed(catalog)), Draws(1, "queries")
    words = [*WORDS, *NAMES, *LANGUAGES, *COUNTRIES, "absent", "horror", "science fiction"]
    # One posting table serves every query: the sum over terms is the sum of the terms' own scores.
    alone = {word: dict(oracle.search(word, len(catalog.books))) for term in words for word in terms(term)}
    for _ in range(2000):
        query = " ".join(draws.choice(words) for _ in range(draws.between(1, 6)))
        total: Counter[str] = Counter()
        for term in dict.fromkeys(terms(query)):
            total.update(alone[term])
        expected = sorted(total.items(), key=lambda one: (-one[1], one[0]))[:20]
        assert [(hit.id, round(hit.score * SCALE)) for hit in retriever.search(query, 20)] == expected, query


def test_whole_queries_agree_with_the_oracle_that_reads_every_record(
    catalog: BookCatalog, retriever: ImpactRetriever
) -> None:
    """The oracle without any shortcut gives the same order for queries of several terms."""
    oracle = Oracle(indexed(catalog))
    for query in ("moon river english", "straße STRASSE", "1984 Çelik horror horror", "the the united kingdom"):
        assert [hit.id for hit in retriever.search(query, 50)] == [one for one, _ in oracle.search(query, 50)]


def test_equal_scores_are_ordered_by_id() -> None:
    """Records that nothing sets apart come by id, whatever order they were given in."""
    made = ImpactRetriever()
    made.build([(item_id, {"title": "moon"}) for item_id in ("c", "a", "d", "b")])
    assert [hit.id for hit in made.search("moon", 3)] == ["a", "b", "c"]


@pytest.mark.parametrize("unit", [1, 1 << 55])
def test_the_best_are_exact_for_scores_of_any_size(unit: int) -> None:
    """Small scores and scores too large to be packed with their position come in the same order."""
    draws = Draws(5, "scores")
    for limit in (1, 3, 50):
        scores = np.array([draws.below(6) * unit for _ in range(40)], dtype=np.int64)
        expected = sorted((i for i in range(40) if scores[i]), key=lambda i: (-scores[i], i))[:limit]
        assert _best(scores, limit).tolist() == expected


def test_terms_are_folded_and_none_is_dropped() -> None:
    """Compatibility forms and case are folded; stop words and single letters stay."""
    assert terms("The ﬁre of STRASSE, a Ⅻ-naïve war_and") == [
        "the",
        "fire",
        "of",
        "strasse",
        "a",
        "xii",
        "naïve",
        "war_and",
    ]


def test_a_repeated_query_term_counts_once(retriever: ImpactRetriever) -> None:
    """A query is a set of terms."""
    assert retriever.search("moon moon moon", 20) == retriever.search("moon", 20)


@pytest.mark.parametrize("query", ["", "  ", "absent", "!!! ###", "\udcff", "\x00"])
def test_a_query_that_matches_nothing_gives_no_hits(retriever: ImpactRetriever, query: str) -> None:
    """An empty or unmatched query finds nothing."""
    assert list(retriever.search(query, 20)) == []


def test_an_empty_index_finds_nothing() -> None:
    """No records, no hits; records without any text neither."""
    made = ImpactRetriever()
    made.build([])
    assert list(made.search("moon", 5)) == []
    made.build([("a", {"title": ""}), ("b", {})])
    assert list(made.search("moon", 5)) == []


def test_two_records_of_one_id_are_refused() -> None:
    """An id that occurs twice is an error that names it."""
    with pytest.raises(DataError, match="'a'"):
        ImpactRetriever().build([("a", {"title": "x"}), ("a", {"title": "y"})])


def test_a_field_that_some_records_lack_counts_as_empty_there() -> None:
    """The mean length of a field is over all records, those without it included."""
    made = ImpactRetriever()
    made.build([("a", {"title": "moon", "authors": "ann"}), ("b", {"title": "moon"})])
    with_author = impact(inverse_frequency(1, 2), 1, 1, 0.5)
    assert [(hit.id, round(hit.score * SCALE)) for hit in made.search("ann", 5)] == [("a", with_author)]


@given(st.text(), st.integers(-3, 30))
def test_any_text_is_a_valid_query(retriever: ImpactRetriever, query: str, limit: int) -> None:
    """Whatever is asked, there is an answer of at most so many hits, scores descending."""
    hits = retriever.search(query, limit)
    assert len(hits) <= max(limit, 0)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_folding_does_not_depend_on_how_text_is_composed() -> None:
    """A decomposed query finds what a composed one does."""
    assert terms(unicodedata.normalize("NFD", "Dvořák")) == terms("Dvořák")
