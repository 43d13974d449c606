"""
How the matcher's weights are learned from labelled turns, and how well that does on turns that it did not learn from.

A logistic regression: a turn's log-odds for a question is the log-sum-exp over its sentences of what their signs are
worth, so that a label of a turn need not say which of its sentences asks. Of an open request nothing is learned about
the single fields. Turns without a batch are those that the rules were written with, and what the rules say of them is
no evidence for other turns: there the rules' signs are withheld.

The same turns give the same weights, on every machine: what is summed are multiples of 2**-20 within 2**52, whose sums
do not depend on the order, and all else is done number by number.
"""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from scipy import sparse

from recfw.errors import DataError
from recfw_books.user.lexicon import FIELDS
from recfw_books.user.ruled import ruled
from recfw_books.user.score import Judged, Labelled
from recfw_books.user.signs import Signs, signs_of
from recfw_books.user.turns import sentences
from recfw_books.user.weights import START, UNIT, Weights, decide

Numbers = NDArray[np.float64]
Matrix = Any  # scipy's sparse arrays have no useful static type

QUESTIONS = 1 + len(FIELDS)
PENALTY = 2.0
LEAST = 6  # sentences in which a sign must occur
KEPT = 20_000  # signs
STEPS = 120
RATE = 0.05
OPEN_ABOVE = -0.2  # log-odds above which a turn is taken for an open request
FIELD_ABOVE = -0.1
_GRID = 2.0**20


@frozen
class Example:
    """A labelled turn, what the rules say of it, and its sentences' signs."""

    turn: Labelled
    ruled: frozenset[str]
    signs: tuple[tuple[Signs, ...], ...]


@frozen
class _Problem:
    """Signs by sentence and question as a sparse matrix, and which turn's which question each row belongs to."""

    signs: tuple[tuple[str, str], ...]
    rows: Matrix
    groups: NDArray[np.int64]
    wanted: Numbers
    counts: Numbers


def examples(turns: Sequence[Labelled]) -> tuple[Example, ...]:
    """Return labelled turns with their signs."""
    return tuple(_example(turn) for turn in turns)


def _example(turn: Labelled) -> Example:
    parts = sentences(turn.text)
    said = ruled(parts)
    return Example(turn, frozenset[str]().union(*said), tuple(signs_of(parts, said)))


def learn(given: Sequence[Example]) -> Weights:
    """
    Return by table what each sign is worth, in hundredths, and where the two kinds of question start.

    Raises:
        DataError: No turn has a sentence.
    """
    if not any(example.signs for example in given):
        raise DataError("nothing can be learned: no turn has a sentence.", "Give labelled turns.")
    problem = _problem(given)
    kept = np.flatnonzero(np.asarray(problem.rows.sum(axis=0)).ravel() >= LEAST)
    found = _fit(problem.rows[:, kept], problem)[0]
    kept = kept[np.sort(np.argsort(-np.abs(found), kind="stable")[:KEPT])]
    found, start = _fit(problem.rows[:, kept], problem)
    weights: dict[str, dict[str, int]] = {}
    for j, value in zip(kept, found, strict=True):
        table, sign = problem.signs[j]
        if round(value * UNIT):
            weights.setdefault(table, {})[sign] = round(value * UNIT)
    weights.setdefault("open", {})[START] = round((start[0] - OPEN_ABOVE) * UNIT)
    weights.setdefault("field", {})[START] = round((start[1] - FIELD_ABOVE) * UNIT)
    return weights


def _problem(given: Sequence[Example]) -> _Problem:
    known: dict[tuple[str, str], int] = {}
    columns: list[int] = []
    lengths: list[int] = [0]
    groups: list[int] = []
    for i, example in enumerate(given):
        for sentence in example.signs:
            for q, signs in enumerate(sentence):
                said = ((signs.table, signs.ruled),) if example.turn.batch else ()
                for table, found in (*signs.tables, *said):
                    columns += (known.setdefault((table, sign), len(known)) for sign in sorted(found))
                lengths.append(len(columns))
                groups.append(i * QUESTIONS + q)
    shape = (len(groups), len(known))
    rows = sparse.csr_array((np.ones(len(columns)), np.array(columns), np.array(lengths)), shape=shape)
    return _Problem(tuple(known), rows, np.array(groups), *_labels(given))


def _labels(given: Sequence[Example]) -> tuple[Numbers, Numbers]:
    """Return for each turn's each question whether the answer is yes, and whether it counts."""
    wanted = np.zeros((len(given), QUESTIONS))
    counts = np.ones((len(given), QUESTIONS))
    for i, example in enumerate(given):
        turn = example.turn
        wanted[i] = [turn.generic, *(name in turn.fields for name in FIELDS)]
        if turn.generic:
            counts[i, 1:] = 0
    return wanted.ravel(), counts.ravel()


def _grid(values: Numbers) -> Numbers:
    return np.round(values * _GRID) / _GRID


def _fit(rows: Matrix, problem: _Problem) -> tuple[Numbers, Numbers]:
    """Return signs' weights and the two starting points, after a fixed number of steps (Adam, all turns at once)."""
    width = rows.shape[1]
    columns = rows.T.tocsr()
    start = np.where(problem.groups % QUESTIONS == 0, 0, 1)
    values = np.zeros(width + 2)
    mean, spread = np.zeros(width + 2), np.zeros(width + 2)
    for step in range(1, STEPS + 1):
        at = _grid(values)
        share = _shares(rows @ at[:width] + at[width + start], problem)
        slope = np.concatenate((columns @ share + PENALTY * at[:width], np.bincount(start, share, 2)))
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope * slope
        rate = RATE * min(1, 2 * (1 - step / STEPS) + 0.02)
        values = values - rate * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-3)
    return values[:width], values[width:]


def _shares(scores: Numbers, problem: _Problem) -> Numbers:
    """Return by how much each row's score is too high: its turn's error, shared out by what the row contributes."""
    groups = problem.groups
    top = np.full(problem.wanted.size, -50.0)
    np.maximum.at(top, groups, scores)
    parts = _grid(np.exp(scores - top[groups]))
    sums = np.bincount(groups, parts, problem.wanted.size)
    sums[sums == 0] = 1.0
    odds = top + np.log(sums)
    error = problem.counts * (_grid(1 / (1 + np.exp(-np.clip(odds, -40, 40)))) - problem.wanted)
    return _grid(error[groups] * (parts / sums[groups]))


def held_out(given: Sequence[Example], folds: int) -> tuple[tuple[Judged, ...], tuple[Judged, ...]]:
    """
    Judge every batch by weights learned without it, and by the rules alone.

    Turns without a batch are learned from in every fold and judged in none.

    Args:
        given: Labelled turns.
        folds: Into how many parts the batches are dealt, in their order.

    Returns:
        What the rules say of each turn of a batch, and what the matcher does.
    """
    batches = list(dict.fromkeys(each.turn.batch for each in given if each.turn.batch))
    learned: dict[str, frozenset[str]] = {}
    for k in range(folds):
        out: Collection[str] = set(batches[k::folds])
        weights = learn([each for each in given if each.turn.batch not in out])
        learned |= {each.turn.id: decide(each.signs, weights) for each in given if each.turn.batch in out}
    judged = [each for each in given if each.turn.batch]
    return (
        tuple(Judged(each.turn, each.ruled) for each in judged),
        tuple(Judged(each.turn, learned[each.turn.id]) for each in judged),
    )
