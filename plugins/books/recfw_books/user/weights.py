"""
What each sign is worth: the classifier's weights, kept as data, and the decision that they make.

``data/matcher.tsv.gz`` holds a line ``TABLE<tab>SIGN<tab>WORTH`` for each sign, sorted, worths in hundredths of a
log-odds unit; the sign ``start`` of the tables ``open`` and ``field`` is where the two kinds of question begin.
``recfw books learn`` makes it.
"""

import gzip
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from recfw_books.user.lexicon import FIELDS
from recfw_books.user.mentions import ALL
from recfw_books.user.signs import Signs

FILE = "matcher.tsv.gz"
START = "start"
UNIT = 100

Weights = Mapping[str, Mapping[str, int]]


def write_weights(weights: Weights) -> bytes:
    """Return weights as the package keeps them; the uncompressed bytes depend on the weights alone."""
    lines = sorted(f"{table}\t{sign}\t{worth}\n" for table, worths in weights.items() for sign, worth in worths.items())
    return gzip.compress("".join(lines).encode(), mtime=0)


def read_weights(content: bytes) -> Weights:
    """Return by table the worth of each sign, in hundredths."""
    found: dict[str, dict[str, int]] = {}
    for line in gzip.decompress(content).decode().splitlines():
        table, sign, worth = line.split("\t")
        found.setdefault(table, {})[sign] = int(worth)
    return found


@cache
def packaged() -> Weights:
    """Return the weights that this package ships."""
    return read_weights(files("recfw_books").joinpath("data", FILE).read_bytes())


def _tables(signs: Signs) -> tuple[tuple[str, frozenset[str]], ...]:
    return (*signs.tables, (signs.table, signs.ruled))


def worths(signs: Signs, weights: Weights) -> Iterable[tuple[str, int]]:
    """Yield each sign that is worth something, with its worth in hundredths."""
    for table, found in _tables(signs):
        known = weights.get(table, {})
        for sign in known.keys() & found:
            yield sign, known[sign]


def worth(signs: Signs, weights: Weights) -> int:
    """Return what a sentence's signs are worth together, in hundredths; above 0 it asks."""
    total = weights[signs.table][START]
    for table, found in _tables(signs):
        known = weights.get(table, {})
        total += sum(map(known.__getitem__, known.keys() & found))
    return total


def together(sentences: Sequence[int]) -> float:
    """
    Return what sentences are worth together: the most of them, a little more where others come close.

    Never more than two equal ones make: however many do not ask, a long turn does not ask by its length.
    """
    top = max(sentences)
    return top + UNIT * math.log(min(sum(math.exp((each - top) / UNIT) for each in sentences), 2))


def decide(turn: Sequence[Sequence[Signs]], weights: Weights) -> frozenset[str]:
    """Return the fields that a turn asks about, given its sentences' signs (:func:`.signs.signs_of`)."""
    if not turn:
        return frozenset()
    by_question = [together([worth(signs, weights) for signs in column]) for column in zip(*turn, strict=True)]
    if by_question[0] > 0:
        return ALL
    return frozenset(name for name, total in zip(FIELDS, by_question[1:], strict=True) if total > 0)
