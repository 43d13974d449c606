"""The Yelp Open Dataset, today's and older releases."""

import pytest

from recfw_orchestration.data.importers import yelp
from recfw_orchestration.data.importers.kinds import kind_of

BUSINESS = {
    "business_id": "b1", "name": "Caf\u00e9", "address": "1 Mock St", "city": "Philadelphia", "state": "PA",
    "latitude": 39.9, "longitude": -75.1, "stars": 4.5, "review_count": 3, "is_open": 0, "hours": None,
    "attributes": {"RestaurantsPriceRange2": "3"}, "categories": "Cafes, Food",
}  # fmt: skip
REVIEW = {
    "review_id": "r1", "user_id": "u1", "business_id": "b1", "stars": 4.0, "useful": 3, "funny": 0, "cool": 1,
    "text": "Quiet.", "date": "2018-07-07 22:09:11",
}  # fmt: skip
TIP = {"user_id": "u1", "business_id": "b1", "text": "Cash only.", "date": "2018-07-07 22:09:11", "compliment_count": 2}
USER = {
    "user_id": "u1", "name": "Ada", "review_count": 3, "yelping_since": "2011-03-14 09:26:53", "elite": "2010,20,20",
    "friends": "a, b", "fans": 4,
}  # fmt: skip
CHECKIN = {"business_id": "b1", "date": "2018-07-07 22:00:01, 2019-01-20 14:58:20, 2019-01-20 14:58:20"}
OLD = {
    "business_id": "b1", "full_address": "1 Mock St\nPhoenix, AZ 85001", "open": False, "categories": ["Bars"],
    "city": "Phoenix", "state": "AZ", "name": "Old", "latitude": 33.4, "longitude": -112.0, "type": "business",
    "attributes": {"Price Range": 2, "Parking": {"lot": True}}, "hours": {}, "neighborhoods": [], "stars": 3.0,
}  # fmt: skip

FILES = {"item": BUSINESS, "review": REVIEW, "tip": TIP, "user": USER, "checkin": CHECKIN}


@pytest.mark.parametrize("rows", FILES)
def test_file_is_told_by_keys(rows, write):
    """Each of the five files is known by its keys, whatever it is called."""
    assert ("yelp", rows) == ((kind := kind_of(write("x.json", FILES[rows]))).family, kind.rows)


def test_business_has_its_fields():
    """Price level and categories come out of their texts, non-ASCII names and closed businesses are kept."""
    found = yelp.item(BUSINESS)
    assert ("Café", 3, ("Cafes", "Food"), True, {}) == (
        found.name, found.price_level, found.categories, found.closed, found.hours
    )  # fmt: skip


def test_business_of_2014_has_its_fields():
    """Older releases have ``full_address``, ``open``, lists of categories, nested attributes and other keys."""
    found = yelp.item(OLD)
    assert ("1 Mock St Phoenix, AZ 85001", "Phoenix", 2, ("Bars",), True) == (
        found.address, found.city, found.price_level, found.categories, found.closed
    )  # fmt: skip


def test_city_comes_out_of_a_full_address_alone():
    """Where only ``full_address`` is given, city and state are its last line."""
    found = yelp.item({key: value for key, value in OLD.items() if key not in {"city", "state"}})
    assert ("Phoenix", "AZ") == (found.city, found.state)


def test_votes_of_2014_are_nested():
    """Older reviews hold ``votes`` with ``useful`` in it."""
    read = {key: value for key, value in REVIEW.items() if key != "useful"} | {
        "votes": {"useful": 5},
        "date": "2011-04-02",
    }
    assert (5, "2011-04-02T00:00") == (yelp.review(read).helpful, yelp.review(read).time)


def test_tip_without_words_is_dropped():
    """A tip's text may be empty: then it says nothing."""
    assert "no words" == yelp.tip(TIP | {"text": ""})


FRIENDS = {"a, b": 2, "None": 0, "": 0}


@pytest.mark.parametrize("friends", FRIENDS)
def test_friends_are_ids_or_the_word_none(friends):
    """``friends`` is a list of ids in one text, or the word None."""
    assert FRIENDS[friends] == yelp.user(USER | {"friends": friends}).friends


def test_checkins_by_hour_without_dates_are_dropped():
    """The releases up to 2017 count check-ins by weekday and hour: there are no visits to keep."""
    assert "counts by hour without dates" == yelp.checkins({"business_id": "b1", "checkin_info": {"9-0": 1}})


def test_all_files_join(write, imported):
    """Businesses, reviews, tips, users and check-ins land in one domain; a repeated check-in is counted once."""
    write("business.json", BUSINESS, BUSINESS | {"business_id": "b2"})
    write("review.json", REVIEW, REVIEW | {"review_id": "r2", "business_id": "b2", "date": "2019-01-01 10:00:00"})
    for name, record in (("tip.json", TIP), ("user.json", USER), ("checkin.json", CHECKIN)):
        write(name, record)
    data = imported("yelp")
    assert (["r1"], ["Cash only."], "Ada", (2010, 2020), 2) == (
        [one.review_id for one in data.reviews_by("local", "u1")],
        [one.text for one in data.tips_of("b1")],
        data.profile("local", "u1").name,
        data.profile("local", "u1").elite,
        data.visits("b1").checkins,
    )


def test_tip_beside_a_held_out_review_is_gone(write, imported):
    """What a user tipped where the held-out review took place would tell of it."""
    write("business.json", BUSINESS, BUSINESS | {"business_id": "b2"})
    write("review.json", REVIEW, REVIEW | {"review_id": "r2", "business_id": "b2", "date": "2019-01-01 10:00:00"})
    write("tip.json", TIP | {"business_id": "b2"}, TIP | {"business_id": "b2", "user_id": "u9", "text": "Mine."})
    assert ["Mine."] == [one.text for one in imported("yelp").tips_of("b2")]


def test_checkins_of_a_business_have_no_user(write, imported):
    """Yelp does not say who checked in."""
    write("business.json", BUSINESS)
    write("checkin.json", CHECKIN)
    visits = imported("yelp").checkins_of("b1")
    assert [("2019-01-20T14:58", ""), ("2018-07-07T22:00", "")] == [(one.time, one.user_id) for one in visits]
