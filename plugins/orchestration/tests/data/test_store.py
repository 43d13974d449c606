"""The store as its readers see it: orders, unknown ids, recommendations, threads, and nothing of what is held out."""

import re
import sqlite3
import threading
from collections import Counter

import numpy as np
import pytest

from recfw.errors import DataError
from recfw_orchestration.data.records import Stats, UnknownItemError, UnknownUserError
from recfw_orchestration.data.store import Data
from recfw_orchestration.world.embedded import embedded_store

ITEMS = [
    {
        "asin": f"A{n}",
        "title": title,
        "category": ["E", kind],
        "price": f"${n + 1}.00",
        "also_buy": also,
        "brand": "Brand",
    }
    for n, (title, kind, also) in enumerate(
        [
            ("Red lamp", "Lamps", ["A3"]),
            ("Blue lamp", "Lamps", []),
            ("Green lamp", "Lamps", []),
            ("Fast cable", "Cables", []),
        ]
    )
]
DAY = 86_400


def review(user, item, stars, day, text="Good lamp."):
    """Return a review on a day."""
    return {
        "overall": float(stars), "verified": True, "reviewerID": user, "asin": item, "reviewText": text,
        "unixReviewTime": 1_500_000_000 + DAY * day,
    }  # fmt: skip


@pytest.fixture
def small(write, imported):
    """Return a store of four products and a few reviews; user U1's third, U2's second one are held out."""
    write("meta.json", *ITEMS)
    write(
        "reviews.json",
        review("U1", "A0", 5, 1), review("U1", "A1", 3, 2, "Awful battery."),
        review("U1", "A2", 1, 300, "Hidden words."),
        review("U2", "A0", 4, 200), review("U2", "A1", 2, 201, "Hidden too."), review("U3", "A0", 1, 100),
        review("U4", "A0", 5, 110), review("U4", "A3", 5, 120), review("U4", "A2", 4, 130),
    )  # fmt: skip
    data = imported("amazon")
    yield data
    data.close()


def test_latest_review_of_a_user_is_held_out(small):
    """The held-out interaction is the latest of a user with two or more, and is told to whom may know."""
    assert [("A2", 1.0), ("A1", 2.0), None] == [
        (one.item_id, one.rating) if (one := small.held_out("electronics", user)) else None
        for user in ("U1", "U2", "U3")
    ]


def test_held_out_review_is_in_no_list(small):
    """Neither the item's nor the user's reviews hold it."""
    assert ([], ["A1", "A0"]) == (
        [one.user_id for one in small.reviews_of("electronics", "A2")],
        [one.item_id for one in small.reviews_by("electronics", "U1")],
    )


def test_held_out_words_are_in_no_index(small):
    """No search finds what only a held-out review says."""
    assert ([], 0) == small.search_reviews("electronics", "hidden")


def test_held_out_rating_is_in_no_statistics(small):
    """Counts, mean, histogram and trend are those of the reviews that are left."""
    assert (Stats(3.0, 1, (0, 0, 1, 0, 0), None), Stats(None, 0, (0,) * 5, None)) == (
        small.stats("electronics", "A1"),
        small.stats("electronics", "A2"),
    )


def test_trend_sets_the_last_90_days_against_all_before(write, imported):
    """The 90 days end with the item's latest review."""
    write("meta.json", ITEMS[0])
    given = ((1, 0), (2, 10), (3, 109), (3, 110), (5, 200))
    write("reviews.json", *(review(f"U{day}", "A0", stars, day) for stars, day in given))
    assert Stats(2.8, 5, (1, 1, 2, 0, 1), 4.0 - 2.0) == imported("amazon").stats("electronics", "A0")


def test_held_out_interaction_is_in_no_model(small):
    """Who held out A2 makes it no neighbour of A0; of the four readers of A0 only U4 counts for A3."""
    assert ["A3", "A1"] == [one for one, _ in small.similar("electronics", "A0", "co_purchase")]


def test_held_out_opinion_is_in_no_sentiment(small):
    """A blame that is held out counts nowhere."""
    assert (0, 1) == (
        small.sentiment("electronics", "A2").n_reviews,
        small.sentiment("electronics", "A1", "battery").negative,
    )


def test_nothing_of_a_held_out_review_is_in_the_file(small):
    """Not even the store's bytes hold the text of a held-out review."""
    assert b"Hidden" not in small.path.read_bytes()


def test_reviews_come_latest_first(small):
    """Lists of reviews begin with the latest."""
    assert ["U2", "U4", "U3", "U1"] == [one.user_id for one in small.reviews_of("electronics", "A0")]


def test_search_orders_ties_by_id_and_counts_all(small):
    """Equal scores come by id; the total counts matches beyond the limit."""
    found, total = small.search("electronics", "lamps", limit=2)
    assert (["A0", "A1"], 3, True) == ([one for one, _ in found], total, found[0][1] == found[1][1])


def test_search_keeps_what_a_filter_lets_through(small):
    """A filter narrows hits and total."""
    assert (["A2"], 1) == (
        [one for one, _ in small.search("electronics", "lamp", lambda item: item.price > 2.5)[0]],
        small.search("electronics", "lamp", lambda item: item.price > 2.5)[1],
    )


def test_search_without_words_lists_everything(small):
    """A query of signs alone matches every item, by id."""
    found, total = small.search("electronics", " ?! ")
    assert (["A0", "A1", "A2", "A3"], 4) == ([item for item, _ in found], total)


def test_similar_content_has_not_itself(small):
    """Lamps are like lamps."""
    assert {"A1", "A2"} == {one for one, _ in small.similar("electronics", "A0", limit=2)}


def test_recommendations_leave_out_what_the_user_has(small):
    """In electronics nobody is recommended what he or she has reviewed, nor what the caller excludes."""
    assert (["A3"], []) == (
        [one for one, _ in small.recommend("electronics", "U1")],
        [one for one, _ in small.recommend("electronics", "U1", exclude=["A3", "unknown"])],
    )


def test_popularity_orders_what_the_model_leaves_equal(write, imported):
    """A user who liked nothing is recommended what most others have reviewed."""
    write("meta.json", *ITEMS)
    others = [review(f"V{n}", item, 2, n) for n, item in enumerate(("A2", "A1", "A2"))]
    write("reviews.json", review("U1", "A0", 1, 1), *others)
    assert ["A2", "A1"] == [one for one, _ in imported("amazon").recommend("electronics", "U1")]


def test_rank_holds_all_that_was_asked(small):
    """Items that the model knows nothing of come last, by id."""
    assert {"A1", "A2", "A3"} == {one for one, _ in small.rank("electronics", "U1", ["A3", "A2", "A1"])}


UNKNOWN = {
    "item": (UnknownItemError, lambda data: data.stats("electronics", "A9")),
    "user": (UnknownUserError, lambda data: data.recommend("electronics", "U9")),
    "user ranks": (UnknownUserError, lambda data: data.rank("electronics", "U9", ["A1"])),
    "ranked item": (UnknownItemError, lambda data: data.rank("electronics", "U1", ["A9"])),
    "similar": (UnknownItemError, lambda data: data.similar("electronics", "A9")),
    "other domain's": (UnknownItemError, lambda data: data.business("A1")),
    "surrogate": (UnknownItemError, lambda data: data.reviews_of("electronics", "\ud83d")),
    "injection": (UnknownItemError, lambda data: data.reviews_of("electronics", "' OR 1=1 --")),
}


@pytest.mark.parametrize(("error", "ask"), UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_id_is_an_error_that_names_it(small, error, ask):
    """Who asks for what is not there is told so, with a next step."""
    with pytest.raises(error) as caught:
        ask(small)
    assert caught.value.hint


def test_item_and_page_may_be_asked_for(small):
    """Only ``item`` and ``page`` answer None."""
    assert (None, None) == (small.item("electronics", "A9"), small.page("x"))


def test_pages_are_found_by_their_words(small):
    """The local web knows every item."""
    found, total = small.search_pages("red lamp", "electronics")
    assert ("electronics-A0", ("A0",), True) == (found[0][0].page_id, found[0][0].item_ids, total >= 1)


def test_file_that_is_no_store_is_named(tmp_path):
    """Another file is refused in words."""
    path = tmp_path / "x.db"
    path.write_text("no database, but long enough to look like one" * 40)
    with pytest.raises(DataError, match=re.escape(f"{path}: no orchestration store")):
        Data.open(path)


def test_store_of_another_format_is_refused(tmp_path, small):
    """A store of another version is not read wrongly."""
    copy = tmp_path / "old.db"
    copy.write_bytes(small.path.read_bytes())
    db = sqlite3.connect(copy)
    db.execute("UPDATE meta SET value = 'recfw-orchestration store 0' WHERE name = 'format'")
    db.commit()
    db.close()
    with pytest.raises(DataError, match="written by another version"):
        Data.open(copy)


def test_closed_store_says_so(small):
    """A call after close is an error in words, not a crash."""
    small.close()
    with pytest.raises(DataError, match="has been closed"):
        small.reviews_by("electronics", "U1")


@pytest.fixture(scope="module")
def world():
    """Return the embedded world."""
    data = Data.open(embedded_store())
    yield data
    data.close()


def test_similarity_is_the_cosine_of_common_users(world):
    """The library's neighbours of an item are those of a plain computation over all users, to the model's precision."""
    weights = {}
    for user in world.user_ids("electronics"):
        for one in world.reviews_by("electronics", user):
            if one.rating > 2:
                weights.setdefault(one.item_id, {})[user] = one.rating - 2
    target = max(weights, key=lambda item: (len(weights[item]), item))
    norms = {item: np.sqrt(sum(w * w for w in of.values())) for item, of in weights.items()}
    plain = {
        item: sum(w * weights[target].get(user, 0) for user, w in of.items()) / norms[item] / norms[target]
        for item, of in weights.items()
        if item != target and item not in world.product(target).bought_together
    }
    found = [pair for pair in world.similar("electronics", target, "co_purchase", 40) if pair[0] in plain][:20]
    assert [plain[item] for item, _ in found] == pytest.approx([score for _, score in found], abs=2e-3)
    assert sorted(plain.values(), reverse=True)[:20] == pytest.approx([score for _, score in found], abs=2e-3)


def test_threads_read_the_same(world):
    """Many threads at once get what one gets."""
    users = world.user_ids("local")[:40]
    alone = [world.recommend("local", user) for user in users]
    answers: dict[int, list] = {}

    def ask(number):
        answers[number] = [world.recommend("local", user) for user in users]

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [alone] * 8 == [answers[n] for n in range(8)]


def test_places_may_be_recommended_again(world):
    """People return to places: what a user visits most is high on the list."""
    users = world.user_ids("places")[:60]
    most = [Counter(one.item_id for one in world.checkins_by(user)).most_common(1)[0][0] for user in users]
    ranked = [[one for one, _ in world.recommend("places", user, limit=10)] for user in users]
    assert sum(item in found for item, found in zip(most, ranked, strict=True)) > 40
