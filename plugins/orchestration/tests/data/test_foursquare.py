"""Foursquare check-ins: latin-1, offsets a row, venues of several categories and coordinates, private homes."""

import pytest

from recfw_orchestration.data.importers import foursquare

LINE = "829\tv1\tc1\tCaf\xe9\t40.75\t-73.98\t-240\tSat Jul 07 02:12:49 +0000 2012"


def line(**changed):
    """Return a line with some columns changed."""
    names = ("user", "venue", "kind", "category", "lat", "lon", "offset", "time")
    columns = dict(zip(names, LINE.split("\t"), strict=True)) | changed
    return "\t".join(columns.values()).encode("latin-1")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_category_is_read_in_either_encoding(encoding):
    """The data set is latin-1 (the byte E9), copies are at times UTF-8."""
    assert "Café" == foursquare.rows(LINE.encode(encoding))[1].category


LOCAL = {"-240": "2012-07-06T22:12", "-300": "2012-07-06T21:12", "540": "2012-07-07T11:12", "660": "2012-07-07T13:12"}


@pytest.mark.parametrize("offset", LOCAL)
def test_local_time_follows_the_rows_own_offset(offset):
    """The offset belongs to the row, not to the city; the written time is UTC."""
    visit, _ = foursquare.rows(line(offset=offset))
    assert (LOCAL[offset], "2012-07-07T02:12:49") == (visit.time, visit.utc)


REASONS = {
    "outside New York and Tokyo": {"lat": "48.85", "lon": "2.35"},
    "no valid time": {"time": "Sat Xxx 07 02:12:49 +0000 2012"},
    "no coordinates or offset": {"lat": "north"},
    "no id or category": {"venue": ""},
}


@pytest.mark.parametrize("reason", REASONS)
def test_unusable_line_is_dropped_for_a_reason(reason):
    """A line that lacks what everything rests on is dropped, and the reason is named."""
    assert reason == foursquare.rows(line(**REASONS[reason]))


def test_line_of_other_width_is_dropped():
    """A line without eight columns is dropped."""
    assert "not 8 columns" == foursquare.rows(b"829\tv1")


def test_users_of_two_cities_differ():
    """Both files number their users from 1."""
    tokyo = foursquare.rows(line(lat="35.68", lon="139.75"))
    assert ("NYC-829", "TKY-829", "TKY") == (foursquare.rows(line())[0].user_id, tokyo[0].user_id, tokyo[1].city)


def test_venue_is_what_most_of_its_checkins_say(write, imported):
    """Of several categories and coordinates of one venue those stay that most check-ins name; its name is made up."""
    days = [f"Sat Jul {day:02} 02:12:49 +0000 2012" for day in range(1, 5)]
    write(
        "x.txt", line(time=days[0]), line(time=days[1], category="Bar", lat="40.7"),
        line(time=days[2], category="Bar", lat="40.7", kind="c2"), line(time=days[3], category="Bar"),
    )  # fmt: skip
    venue = imported("foursquare").venue("v1")
    assert ("Bar", 40.7, "Bar v1", "NYC") == (venue.category, venue.lat, venue.name, venue.city)


def test_exact_repeats_count_once(write, imported):
    """The same user, venue and moment again is no second visit."""
    write("x.txt", line(), line(), line(venue="v2", time="Sun Jul 08 02:12:49 +0000 2012"))
    data = imported("foursquare")
    assert (1, 1) == (
        len(data.checkins_by("NYC-829")),
        data.manifest["places"]["lines"]["checkin"]["the same user, venue and moment again"],
    )


def test_frequent_visits_weigh_more(write, imported):
    """Where a user has been more often, he or she is sent first."""
    often = [line(time=f"Sat Jul {day:02} 02:12:49 +0000 2012", venue="v2") for day in (1, 2, 3)]
    once = [line(time=f"Sat Jul {day:02} 02:12:49 +0000 2012", venue=venue) for day, venue in ((4, "v1"), (5, "v3"))]
    other = [
        line(user="7", venue=venue, time=f"Sat Jul {day:02} 02:12:49 +0000 2012")
        for day, venue in ((1, "v1"), (2, "v4"))
    ]
    write("x.txt", *often, *once, *other)
    assert ["v2", "v1"] == [one for one, _ in imported("foursquare").recommend("places", "NYC-829")]


def test_private_homes_are_nowhere(write, imported):
    """Homes are the largest category: neither they nor visits to them are kept."""
    write("x.txt", line(), line(venue="h1", category="Home (private)", time="Sun Jul 08 02:12:49 +0000 2012"))
    data = imported("foursquare")
    assert (["v1"], ["Café"], ["v1"]) == (
        list(data.item_ids("places")),
        list(data.categories("places")),
        [one.item_id for one in data.checkins_by("NYC-829")],
    )
