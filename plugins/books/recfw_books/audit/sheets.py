"""The CSV files of an audit: a sheet for each annotator, and the key."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from recfw.errors import DataError, reading_fault
from recfw.model.draws import Draws
from recfw_books.audit.questions import ANSWERS, NUMBERS, QUESTIONS, instructions
from recfw_books.audit.sample import Item

ANNOTATORS = ("annotator-a.csv", "annotator-b.csv")
KEY, INSTRUCTIONS = "key.csv", "instructions.txt"
FILES = (*ANNOTATORS, KEY, INSTRUCTIONS)

_ANSWERS = tuple(f"answer_{number}" for number in NUMBERS)
COLUMNS = ("item", "kind", "shown", *_ANSWERS, "note")

Answers = Mapping[tuple[str, str, str], str]
"""(kind, question, item) -> the answer; empty where there is none."""


def write_sheets(folder: Path, items: Sequence[Item], seed: int) -> None:
    """Write a sheet for each annotator, each in an order of its own, the key and the instructions."""
    for name in ANNOTATORS:
        order = Draws(seed, "audit", name).sample(items, len(items))
        rows = [(each.name, each.kind, each.shown, *("" for _ in _ANSWERS), "") for each in order]
        _write(folder / name, COLUMNS, rows)
    _write(folder / KEY, ("item", "kind", "id", "stratum"), [(i.name, i.kind, i.id, i.stratum) for i in items])
    kinds = [each.kind for each in items]
    text = instructions(kinds.count("record"), kinds.count("family"))
    (folder / INSTRUCTIONS).write_text(text, encoding="utf-8")


def _write(path: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8", newline="")


def read_answers(path: Path) -> Answers:
    """
    Return a filled sheet's answers; case and spaces around them do not matter.

    Raises:
        DataError: It cannot be read, lacks a column, names an item twice, or holds an unknown kind or answer; the
            message names the file, the line and the column.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path}: cannot be read: {reading_fault(error)}.", "Save the sheet as CSV in UTF-8."
        ) from error
    reader = csv.DictReader(StringIO(text, newline=""))
    missing = [name for name in ("item", "kind", *_ANSWERS) if name not in (reader.fieldnames or ())]
    if missing:
        hint = "It needs the columns that 'recfw books audit sample' wrote, parted by commas."
        raise DataError(f"{path}: no column {', '.join(map(repr, missing))}.", hint)
    found: dict[tuple[str, str, str], str] = {}
    for row in reader:
        where = f"{path}, line {reader.line_num}"
        kind, item = (row["kind"] or "").strip(), (row["item"] or "").strip()
        if kind not in QUESTIONS:
            raise DataError(f"{where}: column 'kind' holds {kind!r}, which is none of {', '.join(QUESTIONS)}.")
        if (kind, NUMBERS[0], item) in found:
            raise DataError(f"{where}: the item {item!r} stands there twice.", "Keep one line of it.")
        for number, column in zip(NUMBERS, _ANSWERS, strict=True):
            found[kind, number, item] = _answer(row[column], f"{where}: column '{column}'")
    if not found:
        raise DataError(f"{path}: holds no item.")
    return found


def _answer(value: str | None, where: str) -> str:
    answer = (value or "").strip().casefold()
    if answer and answer not in ANSWERS:
        raise DataError(f"{where} holds {value!r}, which is none of {', '.join(ANSWERS)}.", "Leave it empty if unsure.")
    return answer
