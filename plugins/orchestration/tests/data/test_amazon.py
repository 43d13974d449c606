"""The three releases of Amazon's reviews: told apart by keys, joined and cleaned."""

import pytest

from recfw_orchestration.data.importers import amazon
from recfw_orchestration.data.importers.kinds import kind_of
from recfw_orchestration.data.importers.lines import record

REVIEWS = {
    "2014": {
        "reviewerID": "U1", "asin": "A1", "reviewerName": "N", "helpful": [2, 3], "reviewText": "Good.", "overall": 5.0,
        "summary": "Fine", "unixReviewTime": 1252800000, "reviewTime": "09 13, 2009",
    },
    "2018": {
        "overall": 4.0, "verified": True, "reviewTime": "06 2, 2018", "reviewerID": "U1", "asin": "A1", "vote": "1,002",
        "style": {"Gift Amount:": " 50"}, "image": ["x.jpg"], "reviewText": "Good.", "summary": "Fine",
        "unixReviewTime": 1527897600,
    },
    "2023": {
        "rating": 3.0, "title": "Fine", "text": "Good.", "images": [], "asin": "V1", "parent_asin": "A1",
        "user_id": "U1", "timestamp": 1589607761206, "helpful_vote": 4, "verified_purchase": True,
    },
}  # fmt: skip
ITEMS = {
    "2014": {
        "asin": "A1", "title": "Thing", "price": 3.17, "imUrl": "x.jpg", "brand": "B", "salesRank": {"Toys": 2},
        "related": {"also_bought": ["A2"], "bought_together": ["A3"]},
        "categories": [["Electronics", "Cables"], ["Other"]],
    },
    "2018": {
        "category": ["Electronics", "Cables &amp; Plugs"], "tech1": "<table></table>",
        "description": ["<b>Long</b>", ""],
        "title": " Thing &#39;s", "also_buy": ["A2"], "brand": "B", "feature": ["One"], "rank": [],
        "details": {"ASIN: ": "A1"},
        "main_cat": "", "date": "<div class='a-fixed-left-grid'>", "price": "$1,250.00", "asin": "A1",
    },
    "2023": {
        "main_category": None, "title": "Thing", "average_rating": 4.2, "rating_number": 9, "features": ["One"],
        "description": ["Long"], "price": "from 14.99", "store": "B", "categories": ["Electronics", "Cables"],
        "details": {"Best Sellers Rank": {"Cables": 4}}, "parent_asin": "A1", "bought_together": None,
    },
}  # fmt: skip


@pytest.mark.parametrize("release", REVIEWS)
@pytest.mark.parametrize("rows", ["review", "item"])
def test_release_is_told_by_keys(release, rows, write):
    """The file's name says nothing: kind and release follow from its keys."""
    kind = kind_of(write("Electronics_5.json", (REVIEWS if rows == "review" else ITEMS)[release]))
    assert ("amazon", rows, release) == (kind.family, kind.rows, kind.release)


TIMES = {"2014": "2009-09-13T00:00", "2018": "2018-06-02T00:00", "2023": "2020-05-16T05:42"}
VOTES = {"2014": 2, "2018": 1002, "2023": 4}


@pytest.mark.parametrize("release", REVIEWS)
def test_review_of_each_release_has_its_fields(release):
    """User, item (the parent's in 2023), stars, words, votes and time are found under each release's keys."""
    found = amazon.review(REVIEWS[release])
    rating = {"2014": 5.0, "2018": 4.0, "2023": 3.0}[release]
    expected = ("A1", "U1", rating, "Fine", "Good.", TIMES[release], VOTES[release])
    got = (found.item_id, found.user_id, found.rating, found.title, found.text, found.time, found.helpful)
    assert expected == got


@pytest.mark.parametrize("release", ITEMS)
def test_item_of_each_release_has_its_fields(release):
    """Title, brand, path of categories, price, features and companions are found under each release's keys."""
    found = amazon.item(ITEMS[release])
    expected = {
        "2014": ("Thing", "B", ("Electronics", "Cables"), 3.17, (), ("A3", "A2")),
        "2018": ("Thing 's", "B", ("Electronics", "Cables & Plugs"), 1250.0, ("One",), ("A2",)),
        "2023": ("Thing", "B", ("Electronics", "Cables"), None, ("One",), ()),
    }[release]
    assert expected == (
        found.title, found.brand, found.categories, found.price, found.features, found.bought_together
    )  # fmt: skip


def test_category_is_the_most_specific_one():
    """An item's category is the end of its path; an item without a path falls back on its main category."""
    assert ("Cables", "Grocery") == (
        amazon.item(ITEMS["2014"]).category,
        amazon.item({"asin": "A", "title": "T", "main_cat": "Grocery", "category": []}).category,
    )


def test_review_without_words_is_kept():
    """``reviewText`` is absent in some rows: the rating counts all the same."""
    read = {key: value for key, value in REVIEWS["2018"].items() if key not in {"reviewText", "summary"}}
    assert ("", "", 4.0) == (amazon.review(read).title, amazon.review(read).text, amazon.review(read).rating)


def test_review_time_stands_in_for_a_missing_unix_time():
    """Where the moment is missing, the written date is used."""
    read = {key: value for key, value in REVIEWS["2018"].items() if key != "unixReviewTime"}
    assert "2018-06-02T00:00" == amazon.review(read).time


REASONS = {
    "no rating from 1 to 5": {"overall": None},
    "no user id": {"reviewerID": ""},
    "no item id": {"asin": None},
    "no valid time": {"unixReviewTime": None, "reviewTime": "yesterday"},
}


@pytest.mark.parametrize("reason", REASONS)
def test_unusable_review_is_dropped_for_a_reason(reason):
    """A review that lacks what everything rests on is dropped, and the reason is named."""
    assert reason == amazon.review(REVIEWS["2018"] | REASONS[reason])


def test_metadata_of_2014_is_read_as_a_python_literal():
    """Lines of 2014's metadata are Python literals, single-quoted, and no JSON."""
    line = (
        b"""{'asin': 'A1', 'title': "It's", 'price': 1.5, 'categories': [['E']], 'related': {'also_bought': ['A2']}}"""
    )
    assert ("It's", 1.5, ("A2",)) == (
        amazon.item(record(line)).title,
        amazon.item(record(line)).price,
        amazon.item(record(line)).bought_together,
    )


def test_python_that_is_no_literal_is_never_run():
    """A line with a call is broken, not evaluated."""
    with pytest.raises(ValueError, match="is not JSON"):
        record(b"{'asin': __import__('os').getcwd()}")


def test_half_surrogate_pairs_become_replacement_signs():
    """Texts that were cut within an emoji hold half a pair, which no store can hold."""
    assert {"text": "cut \ufffd"} == record(b'{"text": "cut \\ud83d"}')


def test_reviews_join_on_the_parent_item(write, imported):
    """In 2023 a review's ``asin`` is a variant; the item is ``parent_asin``."""
    write("meta.jsonl", ITEMS["2023"])
    write("reviews.jsonl", REVIEWS["2023"])
    assert ["U1"] == [one.user_id for one in imported("amazon").reviews_of("electronics", "A1")]


def test_of_two_reviews_by_one_user_the_later_counts(write, imported):
    """A pair of user and item occurs several times: the latest review stays, the others are counted as left out."""
    write("meta.json", ITEMS["2018"], ITEMS["2018"] | {"asin": "A2"})
    early = REVIEWS["2018"] | {"overall": 1.0, "unixReviewTime": 1500000000}
    other = REVIEWS["2018"] | {"asin": "A2", "unixReviewTime": 1600000000}
    write("reviews.json", early, REVIEWS["2018"], other)
    data = imported("amazon")
    lines = data.manifest["electronics"]["lines"]["review"]
    assert ([4.0], 1) == (
        [one.rating for one in data.reviews_of("electronics", "A1")],
        lines["a later review by the same user of the same item"],
    )


def test_review_of_an_item_without_record_is_counted(write, imported):
    """A review whose item has no metadata is left out, and counted."""
    write("meta.json", ITEMS["2018"])
    write("reviews.json", REVIEWS["2018"], REVIEWS["2018"] | {"asin": "A9"})
    assert 1 == imported("amazon").manifest["electronics"]["lines"]["review"]["no record of its item"]


def test_first_of_two_records_of_an_item_counts(write, imported):
    """Metadata repeats some items: the first record stays."""
    write("meta.json", ITEMS["2018"], ITEMS["2018"] | {"title": "Second"})
    data = imported("amazon")
    assert ("Thing 's", 1) == (
        data.product("A1").title,
        data.manifest["electronics"]["lines"]["item"]["the same id as an earlier record"],
    )
