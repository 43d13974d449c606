"""Elimination on tiny lists with proposals worked out by hand, and against a slow listing of every hypothesis."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw_books.agents.hypotheses import Hypotheses
from recfw_books.agents.reading import Requirement
from recfw_books.agents.wish import Item, Wish


def _item(genres: Sequence[str] = ("War",), language: str = "en", country: str = "gb", year: int = 2000) -> Item:
    return {"genres": list(genres), "language": language, "country": country, "year": year}


def _wish(*declined: str, told: Iterable[tuple[str, Any]] = ()) -> Wish:
    return Wish(requirements=tuple(Requirement(*pair) for pair in told), declined=declined)


def _proposals(hypotheses: Hypotheses, count: int) -> list[int]:
    """Return the positions proposed when everything is rejected."""
    untried = np.ones(count, dtype=np.bool_)
    order = []
    while (best := hypotheses.best(untried)) is not None:
        order.append(best)
        untried[best] = False
        hypotheses.reject(best)
    return order


def test_genres_are_weighed_by_their_share() -> None:
    """Horror 2, War 2, Crime 1: the book of Horror and War (4) goes first, then Crime; then no book fits any."""
    items = [_item(["Horror"]), _item(["Horror", "War"]), _item(["War", "Crime"])]
    assert [1, 2] == _proposals(Hypotheses(_wish("genre"), items), 3)


def test_equal_hypotheses_count_once() -> None:
    """Horror is three books', War and Crime one book's: by share Horror goes first, counted once the book of two."""
    items = [_item(["Horror"]), _item(["Horror"]), _item(["Horror"]), _item(["War", "Crime"])]
    assert 0 == Hypotheses(_wish("genre"), items).best(np.ones(4, dtype=np.bool_))
    assert 3 == Hypotheses(_wish("genre"), items, equal=True).best(np.ones(4, dtype=np.bool_))


def test_pairs_can_count_together_with_single_values() -> None:
    """A weighs 4; a book of B, C and D weighs 3, and 6 with its three pairs, once these count as well."""
    items = [*[_item(["A"])] * 4, _item(["B", "C", "D"])]
    assert [0, 4] == _proposals(Hypotheses(_wish("genre"), items), 5)
    assert 4 == Hypotheses(_wish("genre"), items, together=True).best(np.ones(5, dtype=np.bool_))


def test_single_values_come_before_pairs() -> None:
    """Two single genres of weight 1 are tried before the pair of two rejected ones, which is tried at last."""
    items = [_item(["A"]), _item(["B"]), _item(["A", "B"]), _item(["C"])]
    # Weights: A 2, B 2, C 1. The pair's book scores 4 and goes first; A, B and the pair are gone with it; then C.
    assert [2, 3] == _proposals(Hypotheses(_wish("genre"), items), 4)
    # Without it being first: A and B rejected apart leave the pair.
    hypotheses = Hypotheses(_wish("genre"), items)
    hypotheses.reject(0)
    hypotheses.reject(1)
    assert 3 == hypotheses.best(np.array([False, False, True, True]))
    hypotheses.reject(3)
    assert 2 == hypotheses.best(np.array([False, False, True, False]))


def test_pairs_break_ties() -> None:
    """Of two books that fit the same single values left, the one that also fits more pairs is taken."""
    items = [_item(["A"]), _item(["B"]), _item(["C"]), _item(["C", "A"])]
    hypotheses = Hypotheses(_wish("genre"), items)
    hypotheses.reject(0)
    assert 3 == hypotheses.best(np.array([False, True, True, True]))


def test_a_known_genre_leaves_one_further_genre() -> None:
    """A declined genre beside a known one hides one value: no pairs, and the known one is none of them."""
    items = [_item(["K", "A"]), _item(["K", "B"]), _item(["K", "A", "B"]), _item(["K"])]
    hypotheses = Hypotheses(_wish("genre", told=[("genre", "K")]), items)
    hypotheses.reject(0)
    hypotheses.reject(1)
    assert hypotheses.best(np.array([False, False, True, True])) is None


def test_a_genre_that_no_candidate_has_beside_the_known_leaves_nothing() -> None:
    """Where every candidate has the known genre alone, no further genre fits any."""
    assert [] == _proposals(Hypotheses(_wish("genre", told=[("genre", "K")]), [_item(["K"])] * 3), 3)


def test_the_middle_year_goes_first() -> None:
    """
    Years 1900, 1950, 2000: both bounds together weigh 9, 10, 9, so the middle goes first.

    Left are the bounds from 2000 and until 1900, equal in weight and in ranges: the more popular is next.
    """
    items = [_item(year=2000), _item(year=1900), _item(year=1950)]
    assert [2, 0, 1] == _proposals(Hypotheses(_wish("year"), items), 3)


def test_a_known_bound_leaves_the_other_direction() -> None:
    """With an earliest year known, the latest is hidden: the oldest book fits every bound, and settles it."""
    items = [_item(year=2010), _item(year=1990), _item(year=2000)]
    assert [1] == _proposals(Hypotheses(_wish("year", told=[("year_min", 1980)]), items), 3)
    assert [0] == _proposals(Hypotheses(_wish("year", told=[("year_max", 2020)]), items), 3)


def test_labels_go_by_share() -> None:
    """Languages are tried from the commonest on, the first book of each."""
    items = [_item(language=label) for label in ("fr", "en", "de", "en", "de", "en")]
    assert [1, 2, 0] == _proposals(Hypotheses(_wish("language"), items), 6)


def test_two_declined_fields_are_judged_together() -> None:
    """
    A rejection drops only the joint requirements that it meets.

    Language x country: en-gb 2, en-us 1, fr-us 1. en-gb goes first; en-us and fr-us are still possible.
    """
    items = [_item(language="fr", country="us"), _item(), _item(), _item(country="us")]
    assert [1, 0, 3] == _proposals(Hypotheses(_wish("language", "country"), items), 4)


def test_unmodelled_fields_leave_the_list_open() -> None:
    """A declined field that no hypothesis is about means that running out of them proves nothing."""
    assert not Hypotheses(_wish("language", "format"), [_item()]).whole
    assert Hypotheses(_wish("language"), [_item()]).whole


def test_no_candidates_leave_nothing() -> None:
    """Without candidates nothing fits, whatever was declined."""
    hypotheses = Hypotheses(_wish("year", "genre"), [])
    assert hypotheses.whole
    assert hypotheses.best(np.zeros(0, dtype=np.bool_)) is None


def test_too_many_joint_hypotheses_are_left_out() -> None:
    """Four declined fields over many values stay within bounds, and are known not to be whole."""
    items = [_item([f"g{i % 19}", f"g{i % 7}"], f"l{i % 60}", f"c{i % 90}", 1700 + i % 300) for i in range(900)]
    hypotheses = Hypotheses(_wish("genre", "language", "country", "year"), items)
    assert not hypotheses.whole
    assert hypotheses.best(np.ones(900, dtype=np.bool_)) is not None


# --- Against every hypothesis, written out ----------------------------------------------------------------------------

Test = Callable[[Item], bool]


def _has(name: str, value: str) -> Test:
    return lambda item: value in item["genres"] if name == "genre" else item[name] == value


def _between(low: float, high: float) -> Test:
    return lambda item: low <= item["year"] <= high


def _both(one: Test, other: Test) -> Test:
    return lambda item: one(item) and other(item)


def _all(tests: Sequence[Test]) -> Test:
    return lambda item: all(test(item) for test in tests)


def _listed(name: str, items: Sequence[Item]) -> list[list[Test]]:
    """Return the hypotheses of a field of which nothing is known: those of one value, those of two."""
    if name == "genre":
        labels = sorted({genre for item in items for genre in item["genres"]})
        single = [_has(name, label) for label in labels]
        return [single, [_both(one, other) for one, other in combinations(single, 2)]]
    if name == "year":
        years = sorted({item["year"] for item in items})
        bounds = [_between(y, np.inf) for y in years] + [_between(-np.inf, y) for y in years]
        return [bounds, [_between(low, high) for low in years for high in years if low <= high]]
    return [[_has(name, label) for label in sorted({item[name] for item in items})]]


def _levels(names: Sequence[str], items: Sequence[Item]) -> Iterator[list[Test]]:
    fields = [_listed(name, items) for name in names]
    chosen = list(product(*(range(len(levels)) for levels in fields)))
    for total in sorted({sum(each) for each in chosen}):
        yield [
            _all(tests)
            for each in chosen
            if sum(each) == total
            for tests in product(*(levels[level] for levels, level in zip(fields, each, strict=True)))
        ]


def _scores(tests: Sequence[Test], items: Sequence[Item], rejected: Sequence[int]) -> list[int]:
    left = [test for test in tests if not any(test(items[position]) for position in rejected)]
    weights = [sum(map(test, items)) for test in left]
    return [sum(w for test, w in zip(left, weights, strict=True) if test(item)) for item in items]


_items = st.builds(
    _item,
    st.lists(st.sampled_from("ABCD"), min_size=1, max_size=3, unique=True),
    st.sampled_from(["en", "fr"]),
    st.sampled_from(["gb", "us", "ie"]),
    st.integers(1990, 1994),
)
_declined = st.lists(st.sampled_from(["genre", "language", "country", "year"]), min_size=1, max_size=3, unique=True)


@settings(deadline=None, max_examples=60)
@given(st.lists(_items, min_size=1, max_size=7), _declined)
def test_proposals_are_those_of_the_full_list(items: list[Item], declined: list[str]) -> None:
    """Every proposal has the score that listing all hypotheses gives the best book, levels and ties included."""
    levels = list(_levels(declined, items))
    rejected: list[int] = []
    for best in _proposals(Hypotheses(_wish(*declined), items), len(items)):
        keys = [
            tuple(0 if position in rejected else score[position] for score in scores)
            for scores in [[_scores(tests, items, rejected) for tests in levels]]
            for position in range(len(items))
        ]
        depth = next(level for level in range(len(levels)) if any(key[level] for key in keys))
        compared = [key[depth : depth + 2] for key in keys]
        assert max(compared) == compared[best]
        assert compared.index(max(compared)) == best
        rejected.append(best)
    left = [p for p in range(len(items)) if p not in rejected]
    assert not any(_scores(tests, items, rejected)[p] for tests in levels for p in left)


@settings(deadline=None, max_examples=60)
@given(st.lists(_items, min_size=1, max_size=12), _declined, st.data())
def test_what_is_hidden_is_always_found(items: list[Item], declined: list[str], data: st.DataObject) -> None:
    """Whatever one or two values each declined field hides, some proposal meets it, if any book does."""
    fields = [data.draw(st.sampled_from([t for level in _listed(name, items) for t in level])) for name in declined]
    hidden = _all(fields)
    proposed = [items[position] for position in _proposals(Hypotheses(_wish(*declined), items), len(items))]
    assert any(map(hidden, items)) == any(map(hidden, proposed))
