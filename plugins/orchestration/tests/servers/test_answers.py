"""What the tools answer, over a small store of known values."""

import jsonschema_rs
import orjson
import pytest
from samples import CALLS

from recfw_orchestration.servers.lookup import in_order


@pytest.mark.parametrize("tool", CALLS)
def test_an_answer_fits_the_schema_that_its_server_lists(answering, tool):
    """Structured content and text are the same JSON, and it is what was promised."""
    outcome = answering.call(tool, CALLS[tool])
    faults = list(jsonschema_rs.Draft202012Validator(answering.tools[tool].output_schema).iter_errors(outcome.content))
    assert (outcome.is_error, faults, orjson.loads(outcome.text)) == (False, [], outcome.content)


def test_every_tool_is_called_here():
    """The samples leave none out."""
    assert len(CALLS) == 32


def test_total_counts_what_is_not_listed(answering):
    """Truncation is told."""
    content = answering("search_products", query="headphones", limit=1).content
    assert (len(content["items"]), content["total"], content["truncated"]) == (1, 2, True)


def test_no_match_is_an_empty_list(answering):
    """It is no error."""
    assert answering("search_products", query="zebra").content == {"items": [], "total": 0, "truncated": False}


@pytest.mark.parametrize(
    ("tool", "more"), [("search_products", {}), ("search_businesses", {"city": "Tarn"}), ("web_search", {})]
)
def test_a_query_without_a_word_is_an_error(answering, tool, more):
    """It would match everything."""
    outcome = answering(tool, query="*!?", **more)
    assert outcome.text == 'query "*!?" holds no word to look for. Name a kind of item, a brand or a feature.'


@pytest.mark.parametrize("tool", ["recommend_products", "recommend_businesses"])
def test_an_unknown_id_among_the_excluded_is_an_error(answering, tool):
    """As everywhere: an id that means nothing is a mistake."""
    assert 'has the id "p9"' in answering(tool, user_id="u1", exclude_ids=["p9"]).text


def test_an_unknown_id_is_an_error_with_a_way_out(answering):
    """It names the id and where ids are found."""
    outcome = answering("get_product_details", item_ids=["p1", "p9", "b1"])
    assert outcome.text == (
        'No product has the id "p9", "b1". Take item_id from results of search_products, recommend_products or'
        " web_search."
    )


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_shopper_history", {}),
        ("recommend_products", {}),
        ("rank_products_for_user", {"item_ids": ["p1"]}),
        ("get_diner_history", {}),
        ("get_checkin_history", {}),
        ("recommend_venues", {}),
    ],
)
def test_an_unknown_user_is_an_error(answering, tool, arguments):
    """Every personal tool says so."""
    outcome = answering(tool, user_id="nobody", **arguments)
    assert outcome.text.startswith('No user has the id "nobody"')


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"category": "hEADphones"}, ["p1", "p2"]),
        ({"category": "Cameras"}, []),
        ({"brand": "ORLA"}, ["p1", "p2"]),
        ({"brand": "Fennick"}, []),
        ({"min_price": 60}, ["p1"]),
        ({"max_price": 79.99}, []),
        ({"min_price": 80, "max_price": 80}, ["p1"]),
    ],
)
def test_products_are_filtered(answering, arguments, expected):
    """Category and brand in any letter case; bounds included; no price, no place within bounds."""
    assert answering.ids("search_products", query="headphones", **arguments) == expected


def test_an_unknown_category_is_an_error_with_close_ones(answering):
    """A misspelt one is answered with what is there."""
    outcome = answering("search_products", query="a", category="Headphone")
    assert outcome.text == 'There is no category "Headphone". Close ones: Headphones.'


@pytest.mark.parametrize(("sort", "expected"), [("recent", ["r1", "r2"]), ("helpful", ["r2", "r1"])])
def test_reviews_come_in_the_order_asked(answering, sort, expected):
    """The latest or the most helpful first."""
    assert [one["review_id"] for one in answering.items("get_product_reviews", item_id="p1", sort=sort)] == expected


def test_critical_reviews_begin_with_the_lowest_rating(answering):
    """Two stars before five."""
    found = answering.items("get_product_reviews", item_id="p1", sort="critical")
    assert [one["rating"] for one in found] == [2.0, 5.0]


def test_floats_are_rounded_to_three_places(answering):
    """A third is 0.333."""
    assert answering.items("analyze_product_sentiment", item_ids=["p1"])[0]["score"] == 0.333


def test_a_repeated_id_is_answered_once(answering):
    """In the order asked."""
    assert answering.ids("get_product_rating_stats", item_ids=["p3", "p1", "p3"]) == ["p3", "p1"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"min_rating": 1}, ["p2", "p1"]),
        ({"min_rating": 4}, ["p2"]),
        ({"min_rating": 1, "min_reviews": 2}, ["p1"]),
        ({"min_rating": 4.01}, []),
    ],
)
def test_ratings_filter_by_mean_and_number(answering, arguments, expected):
    """The best mean first, bounds included; what nobody rated is left out."""
    assert answering.ids("filter_products_by_rating", item_ids=["p1", "p2", "p3"], **arguments) == expected


def test_reviews_are_searched_among_the_items_given(answering):
    """Other items' reviews do not count."""
    assert answering.ids("search_product_reviews", phrase="battery", item_ids=["p2"]) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ["b1", "b2"]),
        ({"max_price_level": 4}, ["b1"]),
        ({"max_price_level": 1}, []),
        ({"attributes": ["outdoor seating"]}, ["b1"]),
        ({"attributes": ["WiFi=free", "OutdoorSeating"]}, ["b1"]),
        ({"attributes": ["WiFi=paid"]}, []),
        ({"attributes": ["WiFi=';--"]}, []),
        ({"category": "cafes"}, ["b1", "b2"]),
    ],
)
def test_businesses_are_filtered(answering, arguments, expected):
    """By price level, attributes and category; what is closed for good is not found."""
    assert answering.ids("search_businesses", query="cafe", city="tarn", **arguments) == expected


@pytest.mark.parametrize(
    ("local_time", "expected"),
    [
        ("2024-03-04T08:00", (True, "2024-03-04T17:00")),  # a Monday
        ("2024-03-04T16:59", (True, "2024-03-04T17:00")),
        ("2024-03-04T17:00", (False, None)),
        ("2024-03-05T10:00", (None, None)),  # nothing is known of Tuesdays
        ("2024-03-09T23:00", (True, "2024-03-10T02:00")),  # Saturday night
        ("2024-03-10T01:59", (True, "2024-03-10T02:00")),
        ("2024-03-10T02:00", (False, None)),  # Sundays it is closed
    ],
)
def test_opening_hours_reach_past_midnight(answering, local_time, expected):
    """Open from the first minute to the one before closing; unknown days are null."""
    (found,) = answering.items("check_open", item_ids=["b1"], local_time=local_time)
    assert (found["open"], found["closes_at"]) == expected


def test_what_is_closed_for_good_is_not_open(answering):
    """And a business without hours is unknown."""
    found = answering.items("check_open", item_ids=["b2", "b3"], local_time="2024-03-04T10:00")
    assert [one["open"] for one in found] == [None, False]


@pytest.mark.parametrize("local_time", ["2024-02-30T10:00", "2024-03-04T24:30", "0000-01-01T00:00"])
def test_a_time_that_does_not_exist_is_an_error(answering, local_time):
    """Even where its digits fit."""
    assert "does not exist" in answering("check_open", item_ids=["b1"], local_time=local_time).text


@pytest.mark.parametrize("local_time", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_the_ends_of_the_calendar_are_refused(answering, local_time):
    """What closes after the last day would have no date."""
    assert "is not within 1900 to 2199" in answering("check_open", item_ids=["b1"], local_time=local_time).text


def test_hours_are_told_as_a_clock_shows_them(answering):
    """A span past midnight closes before it opens."""
    (found,) = answering.items("get_business_details", item_ids=["b1"])
    assert found["hours"] == [
        {"day": "Monday", "opens": "08:00", "closes": "17:00"},
        {"day": "Saturday", "opens": "18:00", "closes": "02:00"},
    ]


def test_distances_come_nearest_first(answering):
    """0.01 degrees of latitude are 1.112 km."""
    found = answering.items("measure_business_distances", origin_id="b1", item_ids=["b3", "b2", "b1"])
    assert [(one["item_id"], one["distance_km"]) for one in found] == [("b1", 0.0), ("b2", 1.112), ("b3", 2.224)]


def test_a_route_orders_by_detour(answering):
    """What lies on the way costs nothing; what lies beyond costs twice the way back."""
    found = answering.items(
        "rank_venues_by_route",
        from_lat=40.0,
        from_lon=-73.9,
        to_lat=40.01,
        to_lon=-73.9,
        item_ids=["v3", "v2", "v1"],
    )
    assert [(one["item_id"], one["detour_km"]) for one in found] == [("v1", 0.0), ("v2", 0.0), ("v3", 2.224)]


def test_a_route_without_destination_orders_by_distance(answering):
    """The detour is the distance then."""
    found = answering.items("rank_venues_by_route", from_lat=40.02, from_lon=-73.9, item_ids=["v1", "v3"])
    assert [(one["item_id"], one["distance_km"], one["detour_km"]) for one in found] == [
        ("v3", 0.0, 0.0),
        ("v1", 2.224, 2.224),
    ]


def test_half_a_destination_is_an_error(answering):
    """Latitude and longitude belong together."""
    outcome = answering("rank_venues_by_route", from_lat=40, from_lon=-73.9, to_lat=40.01, item_ids=["v1"])
    assert outcome.text == "to_lat and to_lon belong together. Give both, or neither for a start alone."


def test_venues_come_most_visited_first(answering):
    """With their check-ins, and no fewer than asked."""
    found = answering.items("search_venues", category="park", city="NYC")
    fewer = answering.ids("search_venues", category="Park", city="NYC", min_checkins=7)
    assert ([(one["item_id"], one["checkins"]) for one in found], fewer) == ([("v1", 10), ("v3", 6)], ["v1"])


def test_a_venue_names_its_busiest_hours(answering):
    """The busiest first, hours without a visit left out."""
    assert answering.items("get_venue_details", item_ids=["v1"])[0]["busiest_hours"] == [9, 20]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [({}, ["v1", "v2", "v3"]), ({"hour": 10}, ["v1", "v3", "v2"]), ({"hour": 3}, ["v1", "v2", "v3"])],
)
def test_recommended_venues_follow_the_hour(answering, arguments, expected):
    """A venue's share of visits around the hour weighs its score: v2 is hardly visited in the morning."""
    assert answering.ids("recommend_venues", user_id="u1", **arguments) == expected


def test_recommended_venues_follow_the_weekday(answering):
    """Shares of Saturday are 3 of 10, 5 and 6 check-ins: 0.3, 0.6 and 0.5 times the scores 1, 1/2 and 1/3."""
    found = answering.items("recommend_venues", user_id="u1", weekday="Saturday")
    assert [(one["item_id"], one["score"]) for one in found] == [("v1", 1.0), ("v2", 1.0), ("v3", 0.556)]


def test_what_is_closed_for_good_is_neither_recommended_nor_nearby(answering):
    """Nobody can go there."""
    near = answering.ids("find_businesses_nearby", lat=35, lon=10, radius_km=25)
    assert (answering.ids("recommend_businesses", user_id="u1"), near) == (["b1", "b2"], ["b1", "b2"])


def test_scores_are_rounded_before_they_are_ordered():
    """What a caller sees as equal is in the order of ids, so that the order can be checked."""
    found = [("c", 0.10004), ("b", 0.10001), ("a", 0.2)]
    assert in_order(found) == [("a", 0.2), ("b", 0.1), ("c", 0.1)]


def test_relative_scores_make_the_best_one():
    """Three places would level small scores; nothing is divided where the best is not above zero."""
    small, below = [("a", 0.0004), ("b", 0.0002)], [("a", -0.5), ("b", 0.0)]
    assert (in_order(small, relative=True), in_order(below, relative=True)) == (
        [("a", 1.0), ("b", 0.5)],
        [("b", 0.0), ("a", -0.5)],
    )


def test_excluded_ids_are_not_recommended(answering):
    """Whatever suits, what is excluded stays out."""
    assert answering.ids("recommend_products", user_id="u1", exclude_ids=["p1"]) == ["p2", "p3"]


def test_a_snippet_shows_the_word_that_was_sought(answering):
    """It is cut on both sides."""
    (found,) = answering.items("web_search", query="quiet headphones")
    assert ("headphones are quiet" in found["snippet"], len(found["snippet"]) <= 202) == (True, True)


def test_an_unknown_page_is_an_error(answering):
    """It says where page ids are found."""
    expected = 'No page has the id "../../etc/passwd". Take page_id from results of web_search.'
    assert answering("read_page", page_id="../../etc/passwd").text == expected
