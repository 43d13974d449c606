"""Reads what people filled in, and says which line is wrong and why."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import define, field, frozen

from recfw.errors import DataError
from recfw_situated.human.forms import COMMENT, HIGH, KEYS, LOW, PROFILE, items
from recfw_situated.human.plan import Visit

MOST_TOLD = 12
"""Faults of a file that are told at once."""


@frozen
class Answer:
    """One filled-in questionnaire: the visit, its points by item, and a comment, perhaps empty."""

    visit: Visit
    points: Mapping[str, int] = field(repr=False)
    comment: str = ""


@frozen
class Answers:
    """All filled-in questionnaires of a plan, in its order, and the visits without one."""

    given: tuple[Answer, ...]
    missing: tuple[Visit, ...]


@define
class _Sheet:
    """A CSV file with a header: rows by column, each with its line number; faults are gathered and raised at once."""

    path: Path
    rows: list[tuple[int, dict[str, str]]] = field(factory=list)
    faults: list[tuple[int, str]] = field(factory=list)

    def fault(self, line: int, words: str) -> None:
        self.faults.append((line, words))

    def check(self) -> None:
        """Raise DataError of all faults so far."""
        if self.faults:
            found = [f"line {line}: {words}" for line, words in sorted(self.faults, key=lambda fault: fault[0])]
            told, more = found[:MOST_TOLD], len(found) - MOST_TOLD
            rest = [f"and {more} more"] if more > 0 else []
            raise DataError(f"{self.path}: " + "; ".join([*told, *rest]) + ".", "Mend the file and read it again.")


def _read(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> _Sheet:
    """Return a file's rows; DataError where it cannot be read, is no CSV, or lacks a column or has another."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise DataError(f"{path}, line {line}: is not UTF-8 text.", "Save it as CSV UTF-8.") from error
    head = text.partition("\n")[0]
    between = ";" if ";" in head and "," not in head else ","  # what spreadsheets write where the comma is decimal
    sheet = _Sheet(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True)
    names: list[str] = []
    try:
        for cells in reader:
            line = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = _header(path, [cell.strip() for cell in cells], columns, optional)
            elif len(cells) != len(names):
                sheet.fault(line, f"has {len(cells)} cells, not {len(names)}")
            else:
                sheet.rows.append((line, dict(zip(names, (cell.strip() for cell in cells), strict=True))))
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: is no valid CSV ({error}).") from error
    if not names:
        raise DataError(f"{path}: is empty.", f"Its first line names the columns {', '.join(columns)}.")
    return sheet


def _header(path: Path, names: list[str], columns: Sequence[str], optional: Sequence[str]) -> list[str]:
    for name in columns:
        if name not in names:
            raise DataError(f"{path}, line 1: the column '{name}' is missing.", f"It needs {', '.join(columns)}.")
    for name in names:
        if name not in {*columns, *optional} or names.count(name) > 1:
            trouble = "comes twice" if names.count(name) > 1 else "is not one of the form's"
            raise DataError(f"{path}, line 1: the column '{name}' {trouble}.", "Write the form anew: human-plan.")
    return names


def _whole(text: str) -> int | None:
    """Return a whole number, also as spreadsheets write it (4.0); None of anything else."""
    number, _, rest = text.partition(".")
    return int(number) if number.isascii() and number.isdigit() and not rest.strip("0") else None


def read_plan(path: Path) -> tuple[Visit, ...]:
    """
    Return the visits of an ``assignment.csv``.

    Raises:
        DataError: It cannot be read, or a line contradicts itself or another.
    """
    sheet = _read(path, (*KEYS[:3], "letter", "assistant"))
    visits: dict[tuple[str, str, str], Visit] = {}
    letters: dict[str, str] = {}
    for line, row in sheet.rows:
        session = _whole(row["session"])
        for name, value in row.items():
            if not value:
                sheet.fault(line, f"{name} is empty")
        if session is None:
            sheet.fault(line, f"session is '{row['session']}', not a whole number")
            continue
        visit = Visit(row["participant"], session, row["task"], row["letter"], row["assistant"])
        if letters.setdefault(visit.letter, visit.assistant) != visit.assistant:
            sheet.fault(line, f"letter {visit.letter} is {visit.assistant} here and {letters[visit.letter]} above")
        if (visit.participant, visit.task, visit.letter) in visits:
            sheet.fault(line, f"{visit.participant} plays {visit.task} with {visit.letter} a second time")
        visits[visit.participant, visit.task, visit.letter] = visit
    sheet.check()
    if not visits:
        raise DataError(f"{path}: names no visit.", "Write a plan with: recfw situated human-plan")
    return tuple(visits.values())


def read_answers(path: Path, plan: Sequence[Visit]) -> Answers:
    """
    Return the filled-in questionnaires; a line whose items are all empty was not filled in.

    Raises:
        DataError: It cannot be read, or lines name what the plan does not have, come twice, or hold no points from 1
            to 5; all such lines are told.
    """
    sheet = _read(path, (*KEYS, *items()), (COMMENT,))
    visits = {(visit.participant, visit.task, visit.letter): visit for visit in plan}
    given: dict[Visit, Answer] = {}
    lines: dict[Visit, int] = {}
    for line, row in sheet.rows:
        visit = visits.get((row["participant"], row["task"], row["assistant"]))
        if visit is None:
            sheet.fault(line, _unplanned(row, plan))
            continue
        if visit in lines:
            sheet.fault(line, f"{_told(visit)} was answered already in line {lines[visit]}")
            continue
        lines[visit] = line
        if not any(row[item] for item in items()):
            continue
        points = dict(_points(row, line, sheet))
        given[visit] = Answer(visit, points, row.get(COMMENT, ""))
    sheet.check()
    return Answers(
        tuple(given[visit] for visit in plan if visit in given), tuple(visit for visit in plan if visit not in given)
    )


def _points(row: Mapping[str, str], line: int, sheet: _Sheet) -> Iterator[tuple[str, int]]:
    for item in items():
        value = _whole(row[item])
        if value is None or not LOW <= value <= HIGH:
            said = f"is '{row[item]}'" if row[item] else "is empty while others are filled in"
            sheet.fault(line, f"{item} {said}; it must be a whole number from {LOW} to {HIGH}")
        else:
            yield item, value


def _unplanned(row: Mapping[str, str], plan: Sequence[Visit]) -> str:
    """Say which of a line's keys the plan does not have."""
    known = {
        "participant": dict.fromkeys(visit.participant for visit in plan),
        "task": dict.fromkeys(visit.task for visit in plan if visit.participant == row["participant"]),
        "assistant": dict.fromkeys(sorted(visit.letter for visit in plan)),
    }
    for name, values in known.items():
        if row[name] not in values:
            return f"{name} is '{row[name]}'; the plan has {', '.join(values)}"
    return f"{row['participant']} does not play {row['task']} with {row['assistant']} in the plan"


def _told(visit: Visit) -> str:
    return f"{visit.participant}, {visit.task}, {visit.letter}"


def read_profiles(path: Path, plan: Sequence[Visit]) -> dict[str, dict[str, str]]:
    """
    Return participant -> profile.

    Raises:
        DataError: It cannot be read, or a line names nobody of the plan, comes twice, or has a value that its field
            does not know.
    """
    sheet = _read(path, ("participant", *PROFILE))
    people = dict.fromkeys(visit.participant for visit in plan)
    found: dict[str, dict[str, str]] = {}
    for line, row in sheet.rows:
        code = row["participant"]
        if code not in people:
            sheet.fault(line, f"participant is '{code}'; the plan has {', '.join(people)}")
        elif code in found:
            sheet.fault(line, f"participant {code} comes twice")
        for name, values in PROFILE.items():
            if values and row[name] and row[name] not in values:
                sheet.fault(line, f"{name} is '{row[name]}'; it must be one of {', '.join(values)}")
        found[code] = {name: row[name] for name in PROFILE}
    sheet.check()
    return found
