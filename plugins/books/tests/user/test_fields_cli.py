"""The lines of the audit command: one in, one out, and the bad line named."""

import json

import pytest

from recfw.errors import DataError
from recfw_books.user.fields_cli import match_lines


def test_fields_come_in_their_order() -> None:
    """Each text gives one line; fields stand in the fixed order, further keys and blank lines are passed over."""
    stream = ['{"text": "Format, year, genre?", "fields": []}\n', "\n", '{"text": "Hello."}']
    assert list(match_lines(stream)) == ['{"fields": ["genre", "year", "format"]}', '{"fields": []}']


@pytest.mark.parametrize("bad", ["no json", "[1]", '{"text": 3}', "{}", "[" * 100_000])
def test_a_bad_line_is_named(bad: str) -> None:
    """The error tells the line's number and what a line must be."""
    with pytest.raises(DataError, match=r"^line 2: .* Give one"):
        list(match_lines([json.dumps({"text": "Genre?"}), bad]))


def test_lines_before_a_bad_one_are_answered() -> None:
    """Matching streams: what came before the bad line is out already."""
    stream = match_lines(['{"text": "Genre?"}', "bad"])
    assert next(stream) == '{"fields": ["genre"]}'


def test_reasons_stand_beside_the_fields() -> None:
    """With reasons a line tells for an open request and each field what the turn is worth, and by which signs."""
    found = json.loads(next(match_lines(['{"text": "Which genre?"}'], reasons=True)))
    worths = {each["question"]: each["worth"] > 0 for each in found["why"]}
    assert (found["fields"], [name for name, asks in worths.items() if asks]) == (["genre"], ["genre"])
