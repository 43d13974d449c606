"""Which formats a book comes in: simulated, but fixed for ever by its id (the paper, section 4.1; spec section 1)."""

import hashlib

from recfw_books.model import FORMATS

# Share of books that come in each format before the rule against empty sets: between 35 % and 60 % lack a given one.
_PRESENT = {"audiobook": 0.40, "ebook": 0.65, "hardcover": 0.55, "paperback": 0.65}
_THRESHOLDS = tuple((name, int(_PRESENT[name] * 65536)) for name in FORMATS)


def formats_of(book_id: str) -> tuple[str, ...]:
    """
    Return the formats that a book comes in, in the order of ``FORMATS``; never none.

    The rule: take SHA-256 of ``recfw-books formats:`` and the id (UTF-8). Each format, in the order of ``FORMATS``,
    reads the next two bytes as a big-endian fraction of 65,536 and is present below its share (audiobook 0.40, ebook
    0.65, hardcover 0.55, paperback 0.65). Where none is, the last byte modulo four names the only one. The rule must
    not change: tasks and stored traces rely on it.
    """
    digest = hashlib.sha256(b"recfw-books formats:" + book_id.encode()).digest()
    present = tuple(
        name
        for i, (name, threshold) in enumerate(_THRESHOLDS)
        if int.from_bytes(digest[2 * i : 2 * i + 2], "big") < threshold
    )
    return present or (FORMATS[digest[-1] % len(FORMATS)],)
