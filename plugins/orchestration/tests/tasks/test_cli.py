"""The commands on tasks, as typed."""

import json
import re

import click
import pytest
from attrs import evolve
from click.testing import CliRunner

from recfw.cli.root import cli
from recfw.errors import ExitCode, RecfwError
from recfw_orchestration.cli.show import told
from recfw_orchestration.tasks import pool
from recfw_orchestration.tasks.drawing import drawn
from recfw_orchestration.tasks.records import workflow_of


def typed(*words):
    """Run a command in this process; return its result."""
    return CliRunner().invoke(cli, ["orchestration", *map(str, words)], standalone_mode=False)


def refused(*words):
    """Return the error that a command ends with, in words."""
    found = typed(*words)
    assert isinstance(found.exception, RecfwError | click.ClickException), found.output
    return str(found.exception)


@pytest.fixture(scope="module")
def fresh(world, tmp_path_factory):
    """Return a generated file, and what the command said."""
    out = tmp_path_factory.mktemp("made") / "fresh.jsonl.gz"
    return out, typed("generate", "--out", out, "--domain", "places", "--percent", 4, "--seed", 3)


def test_generate_writes_a_file_and_tells_its_yield(fresh):
    """Each cell with what was wanted and found, and why other drafts came to nothing."""
    out, said = fresh
    assert (said.exit_code, len(pool.read(out).tasks)) == (0, 7)
    assert all(f"places L{level}" in said.output for level in range(1, 5))
    assert f"{out}: 7 tasks, seed 3." in said.output


def test_equal_seeds_give_equal_files(fresh, tmp_path):
    """Byte for byte."""
    again = tmp_path / "again.jsonl.gz"
    typed("generate", "--out", again, "--domain", "places", "--percent", 4, "--seed", 3)
    assert again.read_bytes() == fresh[0].read_bytes()


def test_what_was_generated_validates(fresh):
    """Exit status 0, and a line that says how much was checked."""
    said = typed("validate", "--tasks", fresh[0])
    assert (said.exit_code, "No problem in 7 tasks" in said.output) == (0, True), said.output


def test_a_fault_gives_exit_status_1(fresh, tmp_path):
    """And a line for each problem."""
    read = pool.read(fresh[0])
    read.tasks[0].public["candidates"].append("NOWHERE")
    broken = tmp_path / "broken.jsonl"
    pool.write(broken, read.head, read.tasks)
    said = typed("validate", "--tasks", broken)
    assert said.return_value == ExitCode.FOUND
    assert "places-L1-001: candidates: NOWHERE is not in the store" in said.output


def test_validate_lists_its_rules():
    """By name."""
    assert "material" in typed("validate", "--rules").output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("generate",), "out"),
        (("generate", "--out", "/no/such/folder/t.jsonl"), "there is no such folder"),
        (("generate", "--out", "here.jsonl", "--set", "model.x=1"), "there is none"),
        (("generate", "--out", "here.jsonl", "--model", "nobody"), "nobody"),
        (("validate", "--tasks", "/no/such/file"), "cannot be read"),
        (("show", "places-M1-001"), "Did you mean 'places-L1-001'?"),
        (("show", "nosuch"), "Its 1,288 tasks are named like 'electronics-L1-001' and 'places-L4-016'."),
        (("show", "places-L1-001", "--picture", "flow.gif"), "Let the name end with .png or .svg."),
        (("stats", "--format", "nothing"), "nothing"),
    ],
)
def test_wrong_words_are_refused_with_a_next_step(words, told):
    """In one sentence or two."""
    assert told in refused(*words)


def test_a_file_is_not_replaced_unasked(fresh):
    """Only with --force."""
    assert "Give --force" in refused("generate", "--out", fresh[0])


def test_tasks_of_another_store_are_refused(fresh, tmp_path):
    """They would be checked against what they are not about."""
    read = pool.read(fresh[0])
    other = tmp_path / "other.jsonl"
    pool.write(other, pool.Head(1, "f" * 64, read.head.tools), read.tasks)
    assert "were made on other data (ffffffffffff" in refused("validate", "--tasks", other)


def test_stats_stand_beside_the_papers():
    """And as JSON for scripts."""
    assert "1,288 of 1,288" in typed("stats").output
    figures = json.loads(typed("stats", "--format", "json").output)["figures"]["tasks"]
    assert sum(figures.values()) == 1288


def test_show_tells_request_and_workflow(tmp_path):
    """At 80 columns; with a picture where one is asked for."""
    task = next(task for task in pool.shipped().tasks if task.facets["level"] == "L4")
    pictures = [tmp_path / name for name in ("a.png", "b.png")]
    said = [typed("show", task.id, "--picture", picture) for picture in pictures]
    lines = said[0].output.splitlines()
    assert (said[0].exit_code, task.private["target"] in said[0].output) == (0, True), said[0].output
    assert max(map(len, lines)) <= 80 + len(f"Picture: {pictures[0]}")
    assert all(call.tool in said[0].output for call in workflow_of(task).calls)
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert pictures[0].read_bytes().startswith(b"\x89PNG")


def test_show_leaves_no_slot_unfilled():
    """Fuzzy phrases are told in the words that stand in the request, the plain one without any slot."""
    shown = {task.id: told(task) for task in pool.shipped().tasks}
    assert [name for name, text in shown.items() if re.search(r"<\w+>|[{}]", text)] == []
    task = next(task for task in pool.shipped().tasks if task.id == "electronics-L3-010")
    assert "vague quantifier: gets about the most praise of all that are left for its value" in " ".join(
        told(task).split()
    )


def test_a_part_of_a_set_validates(tmp_path):
    """One task alone, and all of one ambiguity, of tasks that are right; the last line says what they are part of."""
    shipped = pool.shipped()
    few = [task for task in shipped.tasks if task.facets["ambiguity"] == "high" and task.facets["domain"] == "places"]
    pool.write(tmp_path / "few.jsonl", shipped.head, few[-5:])
    said = typed("validate", "--tasks", tmp_path / "few.jsonl")
    assert (said.return_value, "No problem in 5 tasks" in said.output) == (ExitCode.DONE, True), said.output
    assert "of the 1,288 that were made together" in " ".join(said.output.split())


def test_a_generated_set_is_told_from_a_part_of_it(fresh, tmp_path):
    """The file says how many tasks were made together; one of them too ambiguous is found only in the whole."""
    found = pool.read(fresh[0])
    assert found.head.cells == {"places": {"L1": 4, "L2": 1, "L3": 1, "L4": 1}}
    one = found.tasks[-1]
    alone = evolve(one, facets={**one.facets, "ambiguity": "high"})
    for name, tasks, many in (("whole", [*found.tasks[:-1], alone], 1), ("part", [found.tasks[0]], 0)):
        pool.write(tmp_path / name, found.head, tasks)
        said = typed("validate", "--tasks", tmp_path / name).output
        assert said.count("set: ambiguity: ") == many, said


def test_show_gives_the_whole_task_as_json():
    """Public and private."""
    task = pool.shipped().tasks[0]
    assert json.loads(typed("show", task.id, "--json").output)["private"] == task.private


def test_every_drawing_fits_80_columns():
    """Whatever the workflow."""
    wide = [t.id for t in pool.shipped().tasks if max(map(len, drawn(workflow_of(t)).splitlines())) > 80]
    assert wide == []
