"""``recfw situated human-plan`` and ``human-import``."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from recfw.errors import DataError, RecfwError, UsageError
from recfw_situated.cli.human import human_import, human_plan

FIVE = [word for name in ("a", "b", "c", "d", "e") for word in ("--assistant", name)]


def run(command: click.Command, *arguments: object) -> str:
    """Run a command; its error is raised."""
    result = CliRunner().invoke(command, [str(argument) for argument in arguments])
    if isinstance(result.exception, RecfwError):
        raise result.exception
    return result.output


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A folder with the forms of the paper's plan."""
    run(human_plan, *FIVE, "--out", tmp_path / "study")
    return tmp_path / "study"


def fill(study: Path, keep: int = 50) -> None:
    """Fill the first forms in with 4 for everything."""
    path = study / "questionnaire.csv"
    head, *lines = path.read_text().splitlines()
    path.write_text("\n".join([head, *(line.replace(",,,,,,,,", ",4,4,4,4,4,4,4,") for line in lines[:keep])]))


def test_a_plan_is_written(study: Path) -> None:
    """Five files; the plan has fifty lines, and so has the questionnaire."""
    sizes = {path.name: len(path.read_text().splitlines()) for path in study.iterdir()}
    assert sizes == {
        "assignment.csv": 51, "questionnaire.csv": 51, "profiles.csv": 6, "tasks.csv": 6, "questions.csv": 8
    }  # fmt: skip


def test_forms_that_are_there_are_not_overwritten(study: Path) -> None:
    """They may have been filled in."""
    with pytest.raises(UsageError, match="is there already, and may have been filled in"):
        run(human_plan, *FIVE, "--out", study)


def test_answers_are_imported(study: Path) -> None:
    """Means by assistant, and how many are missing."""
    fill(study, keep=48)
    said = run(human_import, study)
    assert ("48 of 50 planned interactions have a questionnaire" in said, said.count("4.00") >= 35) == (True, True)


def test_nobody_has_answered(study: Path) -> None:
    """Blank forms are told as such."""
    with pytest.raises(DataError, match="nobody has answered yet"):
        run(human_import, study)


def test_faults_name_the_file_and_the_line(study: Path) -> None:
    """A wrong point is told with file and line."""
    fill(study)
    path = study / "questionnaire.csv"
    path.write_text(path.read_text().replace(",4,4,", ",7,4,", 1))
    with pytest.raises(DataError, match=r"questionnaire.csv: line 2: informativeness is '7'"):
        run(human_import, study)
