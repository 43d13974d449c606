"""``recfw situated stats``: counts beside the paper's, and a check of the scene."""

import json
from pathlib import Path

from click.testing import CliRunner

from recfw.plugins import build_manager
from recfw_situated.cli.stats import stats

DATA = Path(__file__).parent.parent / "data"


def run(*arguments):
    """Run the command with the installed plugins; return its exit status and output."""
    result = CliRunner().invoke(stats, arguments, obj=build_manager())
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def test_the_counts_stand_beside_the_papers():
    """The terminal's table has both columns, and the check found nothing."""
    status, said = run("--scene", "supermarket")
    assert 0 == status
    lines = {line.split("  ")[0].strip(): line.split() for line in said.splitlines()}
    assert ["1,324", "1,324"] == lines["instances"][1:]
    assert "nothing is wrong" in said


def test_figures_are_json():
    """JSON has the counts, the paper's and the problems."""
    status, said = run("--scene", "furnishings", "--format", "json")
    figures = json.loads(said)["figures"]
    assert 0 == status
    assert {key: figures["counts"][key] for key in figures["paper"]} == figures["paper"]
    assert [] == figures["problems"]


def test_both_scenes_are_shown_by_default():
    """Without a name both shipped scenes are told of."""
    _, said = run()
    assert "Supermarket" in said
    assert "Home furnishings store" in said


def test_an_unsound_store_is_found_out(edited):
    """A store with a problem prints it and exits with 1."""
    folder = edited("corner_shop", "scene.yaml", ("instances: 9", "instances: 10"))
    status, said = run("--scene", str(folder))
    assert 1 == status
    assert "'expected' in scene.yaml says 10" in " ".join(said.split())


def test_a_store_of_ones_own_has_no_papers_figures():
    """A folder is counted and checked as well."""
    status, said = run("--scene", str(DATA / "lamp_shop"))
    assert 0 == status
    assert "Lamp shop" in said
