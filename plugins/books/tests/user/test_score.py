"""The matcher's figures on labelled turns: counts, intervals, misses, and the line that is wrong."""

import pytest

from recfw.errors import DataError
from recfw_books.user.lexicon import FIELDS
from recfw_books.user.score import Share, error_lines, judge, read_labelled, share_table, shares

LINES = [
    '{"id": "a", "text": "genre?", "fields": ["genre"], "generic": false}',
    "",
    '{"text": "anything?", "fields": ["genre", "language", "country", "year", "format"]}',
    '{"text": "hello", "fields": []}',
]
ANSWERS = {"genre?": ["genre", "year"], "anything?": list(FIELDS), "hello": []}


def test_shares_count_labels() -> None:
    """Six labels are found, of seven answers; one open request is known as such, two turns are exactly right."""
    found = shares(judge(read_labelled(LINES), ANSWERS.__getitem__))[:4]
    assert [(share.name, share.hits, share.of) for share in found] == [
        ("precision", 6, 7),
        ("recall", 6, 6),
        ("generic recall", 1, 1),
        ("turns exactly right", 2, 3),
    ]


def test_each_field_has_its_own_shares() -> None:
    """The one answer in excess lowers its own field's precision only."""
    found = {share.name: share.rate for share in shares(judge(read_labelled(LINES), ANSWERS.__getitem__))}
    assert (found["year precision"], found["year recall"], found["genre precision"]) == (0.5, 1.0, 1.0)


def test_the_interval_is_wilsons() -> None:
    """Nine of ten: 0.596 to 0.982, by the formula; nothing has no interval and no rate."""
    low, high = Share("", 9, 10).interval() or (0, 0)
    assert (round(low, 3), round(high, 3)) == (0.596, 0.982)
    assert (Share("", 0, 0).interval(), Share("", 0, 0).rate) == (None, None)


def test_the_table_has_a_row_a_share() -> None:
    """Rows are as long as the columns, and the caption counts the turns."""
    table = share_table(judge(read_labelled(LINES), ANSWERS.__getitem__))
    assert (len(table.rows), {len(row) for row in table.rows}) == (14, {len(table.columns)})
    assert table.caption == "3 labelled turns, 1 of them open requests"


def test_errors_name_excess_and_misses() -> None:
    """A turn that is not exactly right is listed with its id; one without an id is named by its line."""
    judged = judge(read_labelled([*LINES, '{"text": "year", "fields": ["year"]}']), lambda text: ANSWERS.get(text, []))
    assert error_lines(judged) == ('a: +year: "genre?"', 'line 5: -year: "year"')


@pytest.mark.parametrize(
    "bad", ["no json", "[1]", '{"text": "a"}', '{"text": 1, "fields": []}', '{"text": "a", "fields": ["mood"]}']
)
def test_a_bad_line_is_named(bad: str) -> None:
    """The error tells the line's number and what is wrong."""
    with pytest.raises(DataError, match=r"^line 2: "):
        read_labelled(['{"text": "a", "fields": []}', bad])
