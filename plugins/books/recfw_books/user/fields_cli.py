"""The lines of ``recfw books fields``: agent turns in, the fields that each asks about out."""

import json
from collections.abc import Iterable, Iterator

from recfw.errors import DataError
from recfw_books.user.lexicon import FIELDS
from recfw_books.user.matcher import asked_fields


def match_lines(stream: Iterable[str]) -> Iterator[str]:
    """
    Yield ``{"fields": [...]}`` for each JSON line ``{"text": ...}``, the fields in the order of ``FIELDS``.

    Further keys are ignored, and so are blank lines.

    Raises:
        DataError: A line is no JSON object with a text; the message names it by number, from 1.
    """
    for number, line in enumerate(stream, start=1):
        if line.strip():
            asked = asked_fields(_text(number, line))
            yield json.dumps({"fields": [field for field in FIELDS if field in asked]})


def _text(number: int, line: str) -> str:
    hint = 'Give one {"text": "..."} a line.'
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"line {number}: not JSON ({error}).", hint) from None
    if not isinstance(found, dict) or not isinstance(found.get("text"), str):
        raise DataError(f"line {number}: no object with a text.", hint)
    text: str = found["text"]
    return text
