"""Quirks of values in the raw files, one row each."""

import pytest

from recfw_orchestration.data.importers import values
from recfw_orchestration.data.importers.yelp import attributes_of, categories_of, elite_years, hours_of

AMOUNTS = {
    "empty": ("", None),
    "plain": ("$29.99", 29.99),
    "thousands": ("$1,250.00", 1250.0),
    "a range": ("$9.99 - $24.99", None),
    "style sheet": (".a-box-inner{background-color:#fff}", None),
    "white space and words": ("\r\n\t  see price in cart", None),
    "from": ("from 14.99", None),
    "a number (2014, 2023)": (14.99, 14.99),
    "null (2023)": (None, None),
    "nothing": (0, None),
    "not a number": (float("nan"), None),
    "a truth value": (True, None),
}


@pytest.mark.parametrize(("raw", "amount"), AMOUNTS.values(), ids=AMOUNTS)
def test_price_is_a_clean_dollar_amount_or_unknown(raw, amount):
    """A price that is no single clean amount is unknown, never guessed."""
    assert amount == values.amount(raw)


COUNTS = {"text": ("12", 12), "thousands": ("1,234", 1234), "absent": (None, 0), "number": (7, 7), "words": ("many", 0)}


@pytest.mark.parametrize(("raw", "count"), COUNTS.values(), ids=COUNTS)
def test_votes_are_texts_with_commas_mostly_absent(raw, count):
    """A vote count may be a text with thousands commas, and is 0 where it is absent."""
    assert count == values.count(raw)


CLEANED = {
    "entities": ("Tom &#39;s &gt; Jerry", "Tom 's > Jerry"),
    "HTML": ("<b>Bold</b> gift<br />card", "Bold gift card"),
    "leading spaces": ("  Gift\n\tCard ", "Gift Card"),
    "less-than signs that open no tag": ("I <3 it, 5 > 4", "I <3 it, 5 > 4"),
    "null": (None, ""),
    "null byte": ("a\0b", "a b"),
}


@pytest.mark.parametrize(("raw", "text"), CLEANED.values(), ids=CLEANED)
def test_texts_lose_markup_and_runs_of_white_space(raw, text):
    """Titles, descriptions and reviews hold HTML, entities and white space, which readers do not see."""
    assert text == values.clean(raw)


DATES = {
    "padded": ("06 17, 2018", "2018-06-17T00:00"),
    "day not padded": ("06 2, 2018", "2018-06-02T00:00"),
    "junk": ("<div>", ""),
}


@pytest.mark.parametrize(("raw", "time"), DATES.values(), ids=DATES)
def test_review_time_has_days_without_padding(raw, time):
    """``reviewTime`` writes the day with one digit where it has one."""
    assert time == values.american(raw)


WRITTEN = {
    "with time": ("2018-07-07 22:09:11", "2018-07-07T22:09"),
    "date only, as old releases": ("2011-04-02", "2011-04-02T00:00"),
    "no date": ("soon", ""),
    "no such day": ("2018-02-30", ""),
}


@pytest.mark.parametrize(("raw", "time"), WRITTEN.values(), ids=WRITTEN)
def test_yelp_dates_have_a_time_or_not(raw, time):
    """Yelp's dates are read with and without a time of day."""
    assert time == values.written(raw)


def test_details_lose_line_breaks_and_colons_of_their_keys():
    """Keys of ``details`` carry line breaks and a trailing colon; values may be nested objects (2023's ranks)."""
    raw = {
        "\n    Product Dimensions: \n    ": "3.4 x 2.1",
        "ASIN: ": "B1",
        "Best Sellers Rank": {"Gift Cards": 7},
        "x": "",
    }
    assert {"Product Dimensions": "3.4 x 2.1", "ASIN": "B1", "Best Sellers Rank": {"Gift Cards": 7}} == values.tidy(raw)


ATTRIBUTES = {
    "truth": ("True", True),
    "none": ("None", None),
    "text": ("'free'", "free"),
    "old text": ("u'free'", "free"),
    "number": ("2", 2),
    "dict without its None": ("{'garage': False, 'street': None}", {"garage": False}),
    "old dict": ("{u'valet': False, u'lot': True}", {"valet": False, "lot": True}),
    "a word that is no literal": ("free", "free"),
    "a call is not run": ("__import__('os').getcwd()", "__import__('os').getcwd()"),
    "real types (2014)": (True, True),
    "only None within": ("{'a': None}", None),
}


@pytest.mark.parametrize(("raw", "value"), ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_attribute_values_spell_python_literals(raw, value):
    """An attribute is what its text spells; what is None is left out; nothing is evaluated."""
    assert value == attributes_of({"A": raw}).get("A")


@pytest.mark.parametrize("raw", [None, {}, []])
def test_attributes_may_be_missing(raw):
    """``attributes`` is null for some businesses, and empty for others."""
    assert {} == attributes_of(raw)


CATEGORIES = {
    "joined": ("Noodles, Chinese", ("Noodles", "Chinese")),
    "null": (None, ()),
    "one with commas inside": (
        "Shopping, Books, Mags, Music & Video, Vinyl Records",
        ("Shopping", "Books, Mags, Music & Video", "Vinyl Records"),
    ),
    "list (2014)": (["Bars", "Nightlife"], ("Bars", "Nightlife")),
    "repeat": ("Bars, Bars", ("Bars",)),
}


@pytest.mark.parametrize(("raw", "found"), CATEGORIES.values(), ids=CATEGORIES)
def test_categories_are_one_text_or_a_list(raw, found):
    """Categories are comma-joined; some have commas of their own."""
    assert found == categories_of(raw)


HOURS = {
    "not padded": ({"Monday": "8:0-18:30"}, ((480, 1110),)),
    "past midnight": ({"Monday": "20:0-2:0"}, ((1200, 1560),)),
    "until midnight": ({"Monday": "18:0-0:0"}, ((1080, 1440),)),
    "day left out": ({"Tuesday": "8:0-9:0"}, ()),
    "ambiguous": ({"Monday": "0:0-0:0"}, None),
    "null": (None, None),
    "2014": ({"Monday": {"open": "11:00", "close": "21:00"}}, ((660, 1260),)),
}


@pytest.mark.parametrize(("raw", "monday"), HOURS.values(), ids=HOURS)
def test_hours_are_spans_a_day_off_or_unknown(raw, monday):
    """A day's hours are spans; a day left out is a day off; ``0:0-0:0`` and no hours at all are unknown."""
    assert monday == hours_of(raw).get(0)


ELITE = {
    "20,20 is 2020": ("2010,2011,20,20,2021", (2010, 2011, 2020, 2021)),
    "none": ("", ()),
    "list": ([2012], (2012,)),
}


@pytest.mark.parametrize(("raw", "years"), ELITE.values(), ids=ELITE)
def test_elite_years_hold_a_split_2020(raw, years):
    """In ``elite`` the year 2020 is written ``20,20``."""
    assert years == elite_years(raw)
