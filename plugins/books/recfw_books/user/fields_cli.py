"""The lines of ``recfw books fields``: agent turns in, the fields that each asks about out."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from recfw.errors import DataError
from recfw_books.user.lexicon import FIELDS
from recfw_books.user.matcher import Why, asked_fields, why


def match_lines(stream: Iterable[str], *, reasons: bool = False) -> Iterator[str]:
    """
    Yield ``{"fields": [...]}`` for each JSON line ``{"text": ...}``, the fields in the order of ``FIELDS``.

    Further keys are ignored, and so are blank lines. With ``reasons`` a line holds ``why``, too: for an open request
    and for each field what the turn is worth (above 0 it asks), the sentence that weighs most, and its chief signs.

    Raises:
        DataError: A line is no JSON object with a text; the message names it by number, from 1.
    """
    for number, line in enumerate(stream, start=1):
        if line.strip():
            text = _text(number, line)
            asked = asked_fields(text)
            told: dict[str, Any] = {"fields": [field for field in FIELDS if field in asked]}
            if reasons:
                told["why"] = [_reason(each) for each in why(text)]
            yield json.dumps(told, ensure_ascii=False)


def _reason(each: Why) -> dict[str, Any]:
    return {
        "question": each.question,
        "worth": round(each.worth, 2),
        "sentence": each.sentence,
        "signs": dict(each.signs),
    }


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
