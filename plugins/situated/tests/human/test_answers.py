"""Reading what people filled in: right forms, and each fault with its line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.errors import DataError
from recfw_situated.human.answers import Answers, read_answers, read_plan, read_profiles
from recfw_situated.human.forms import items, written
from recfw_situated.human.plan import Visit
from recfw_situated.tasks.pool import shipped

PLAN = (
    Visit("P01", 1, "s01.1", "A", "gemini"),
    Visit("P01", 2, "s01.1", "B", "gpt"),
    Visit("P02", 1, "s02.1", "B", "gpt"),
)
HEAD = "participant,session,task,assistant," + ",".join(items()) + ",comment"
GOOD = ("P01,1,s01.1,A,1,2,3,4,5,4,3,fine", "P01,2,s01.1,B,2,2,2,2,2,2,2,", "P02,1,s02.1,B,5,5,5,5,5,5,5,")

Write = Callable[..., Path]


@pytest.fixture
def sheet(tmp_path: Path) -> Write:
    """Give a function that writes lines, or bytes, into a file."""

    def write(*lines: str, data: bytes | None = None) -> Path:
        path = tmp_path / "sheet.csv"
        path.write_bytes(("\n".join(lines) + "\n").encode() if data is None else data)
        return path

    return write


def read(path: Path) -> Answers:
    """Return the answers of a file."""
    return read_answers(path, PLAN)


def fault(path: Path) -> str:
    """Return the words of the error that reading a file raises."""
    with pytest.raises(DataError) as raised:
        read(path)
    return raised.value.message


def test_points_and_comments_are_read(sheet: Write) -> None:
    """Each line becomes an answer of its visit, by item."""
    found = read(sheet(HEAD, *GOOD))
    assert (found.missing, [one.visit for one in found.given]) == ((), list(PLAN))
    assert ([found.given[0].points[item] for item in items()], found.given[0].comment) == (
        [1, 2, 3, 4, 5, 4, 3],
        "fine",
    )


def test_lines_may_come_in_any_order(sheet: Write) -> None:
    """Answers are in the plan's order."""
    assert [one.visit for one in read(sheet(HEAD, *reversed(GOOD))).given] == list(PLAN)


@pytest.mark.parametrize("line", [("P02,1,s02.1,B,,,,,,,,",), ()], ids=["blank", "absent"])
def test_what_nobody_filled_in_is_missing(sheet: Write, line: tuple[str, ...]) -> None:
    """A blank line of the form, or none, is a missing answer and no fault."""
    assert read(sheet(HEAD, *GOOD[:2], *line)).missing == PLAN[2:]


def test_what_spreadsheets_write_is_read(sheet: Write) -> None:
    """Semicolons, a byte order mark, carriage returns, blank lines at the end, 4.0 for 4."""
    text = "\r\n".join([HEAD, *GOOD, ",,,,,,,,,,,"]).replace(",", ";").replace(";4;", ";4.0;") + "\r\n\r\n"
    assert read(sheet(data=b"\xef\xbb\xbf" + text.encode())).given == read(sheet(HEAD, *GOOD)).given


def test_a_comment_may_hold_lines_of_its_own(sheet: Write) -> None:
    """A quoted comment over two lines is one answer, and lines are counted on."""
    words = fault(sheet(HEAD, GOOD[0].replace("fine", '"fine,\nreally"'), GOOD[1].replace("2,2,2,2", "2,2,9,2", 1)))
    assert "line 4: groundedness is '9'" in words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("P02,1,s02.1,B,6,5,5,5,5,5,5,", "line 4: informativeness is '6'; it must be a whole number from 1 to 5"),
        ("P02,1,s02.1,B,5,0,5,5,5,5,5,", "line 4: naturalness is '0'"),
        ("P02,1,s02.1,B,5,5,4.5,5,5,5,5,", "line 4: groundedness is '4.5'"),
        ("P02,1,s02.1,B,5,5,5,good,5,5,5,", "line 4: preference_alignment is 'good'"),
        ("P02,1,s02.1,B,5,5,5,5,5,5,,", "line 4: overall_satisfaction is empty while others are filled in"),
        ("P09,1,s02.1,B,5,5,5,5,5,5,5,", "line 4: participant is 'P09'; the plan has P01, P02"),
        ("P02,1,s01.1,B,5,5,5,5,5,5,5,", "line 4: task is 's01.1'; the plan has s02.1"),
        ("P02,1,s02.1,gpt,5,5,5,5,5,5,5,", "line 4: assistant is 'gpt'; the plan has A, B"),
        ("P02,1,s02.1,A,5,5,5,5,5,5,5,", "line 4: P02 does not play s02.1 with A in the plan"),
        (GOOD[1], "line 4: P01, s01.1, B was answered already in line 3"),
        ("P02,1,s02.1,B,5,5", "line 4: has 6 cells, not 12"),
    ],
)
def test_each_fault_names_its_line(sheet: Write, line: str, words: str) -> None:
    """Whatever is wrong with a line is told with its number."""
    assert words in fault(sheet(HEAD, *GOOD[:2], line))


def test_all_faults_are_told_at_once(sheet: Write) -> None:
    """Two wrong lines are two parts of one message, in the order of lines, many are cut."""
    words = fault(sheet(HEAD, GOOD[0].replace("A", "Z", 1).replace(",Z,", ",Q,"), "P02,1,s02.1,B,6,6,6,6,6,6,6,"))
    assert (words.count("line 2"), words.count("line 3")) == (1, 7)
    many = fault(sheet(HEAD, *["P09,1,s02.1,B,5,5,5,5,5,5,5,"] * 20))
    assert (many.count("participant is"), many.endswith("and 8 more.")) == (12, True)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("",), "is empty"),
        ((HEAD.replace("naturalness,", ""),), "line 1: the column 'naturalness' is missing"),
        ((HEAD + ",mood",), "line 1: the column 'mood' is not one of the form's"),
        ((HEAD + ",comment",), "line 1: the column 'comment' comes twice"),
        ((HEAD, '"P01,1'), "is no valid CSV"),
    ],
)
def test_a_broken_form_is_told(sheet: Write, lines: tuple[str, ...], words: str) -> None:
    """A missing, unknown or doubled column, no header, or broken quotes."""
    assert words in fault(sheet(*lines))


def test_other_encodings_are_told_with_their_line(sheet: Write) -> None:
    """A file that is not UTF-8 names the first line that shows it."""
    assert "line 2: is not UTF-8" in fault(
        sheet(data=f"{HEAD}\nP01,1,s01.1,A,1,2,3,4,5,4,3,caf\xe9\n".encode("latin-1"))
    )


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """The message names the file."""
    assert "none.csv: cannot be read" in fault(tmp_path / "none.csv")


def test_a_plan_is_read_back(sheet: Write) -> None:
    """assignment.csv holds the plan that it was written from."""
    tasks = {task.id: task for task in shipped()}
    assert read_plan(sheet(data=written(PLAN, tasks)["assignment.csv"].encode())) == PLAN


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("P01,one,s01.1,A,gemini", "line 2: session is 'one', not a whole number"),
        ("P01,1,s01.1,A,", "line 2: assistant is empty"),
        ("P01,1,s01.1,A,gemini\nP02,1,s01.1,A,gpt", "line 3: letter A is gpt here and gemini above"),
        ("P01,1,s01.1,A,gemini\nP01,2,s01.1,A,gemini", "line 3: P01 plays s01.1 with A a second time"),
        ("", "names no visit"),
    ],
)
def test_faults_of_a_plan_are_told(sheet: Write, line: str, words: str) -> None:
    """A plan that contradicts itself is refused."""
    with pytest.raises(DataError, match=words):
        read_plan(sheet("participant,session,task,letter,assistant", line))


def test_forms_name_no_assistant() -> None:
    """Only the experimenter's file tells which letter is whom."""
    files = written(PLAN, {task.id: task for task in shipped()})
    assert [name for name, text in files.items() if "gemini" in text or "gpt" in text] == ["assignment.csv"]


def test_profiles_are_checked(sheet: Write) -> None:
    """A value that its field does not know, and a stranger, are told with their lines; the rest is read."""
    head, first, second = written(PLAN, {t.id: t for t in shipped()})["profiles.csv"].splitlines()
    good = first.replace("P01,,,", "P01,I cook,woman,", 1)
    assert read_profiles(sheet(head, good, second), PLAN)["P01"]["gender"] == "woman"
    with pytest.raises(
        DataError, match=r"line 2: gender is 'x'; it must be one of woman, man.*line 3: participant is 'P7'"
    ):
        read_profiles(sheet(head, first.replace("P01,,,", "P01,,x,", 1), second.replace("P02", "P7")), PLAN)
