"""Which trials of which runs belong together: settings, names, pooling, and what is refused."""

import re
from typing import Any

import pytest
from attrs import evolve

from recfw.errors import DataError, UsageError
from recfw.model.document import Table
from recfw.model.run import Cell, ComponentSpec
from recfw.model.task import Task
from recfw.testing.results import MemoryResults
from recfw_books.analysis.books_paper import BooksPaper, BooksPaperOptions
from recfw_books.analysis.settings import Names, Setting, is_voiced, setting_of


@pytest.fixture
def tasks(make: Any) -> list[Task]:
    """Return two families."""
    return [task for number in (1, 2) for task in make.family(number, blocks=["panel"])]


def one_run(make: Any, tasks: list[Task], name: str, success: float, **options: Any) -> MemoryResults:
    """Return a run of one agent and one trial of each task."""
    rows = [make.done("cell", task.id, success=success) for task in tasks]
    found: MemoryResults = make.run([make.cell("cell", "agent", **options)], tasks, rows, name=name)
    return found


def figures(results: MemoryResults, **options: Any) -> Any:
    """Return the figures."""
    return BooksPaper(BooksPaperOptions(**options)).report(results).figures


def test_equal_settings_of_several_runs_are_one(make: Any, tasks: list[Task]) -> None:
    """Four successes of one run and none of another are a half, over two trials of each task; the report says so."""
    both = make.together(one_run(make, tasks, "r1", 1.0), one_run(make, tasks, "r2", 0.0))
    found = figures(both)
    passes = found["tables"]["agent structured"]["pass_k"]["satisfiable"]["mixed"]
    assert {k: one["value"] for k, one in passes.items()} == {"1": 0.5, "2": 0.0}
    assert found["settings"]["agent structured"]["counts"]["planned"] == 12
    assert found["settings"]["agent structured"]["cells"] == 2
    assert "Trials that several cells played in one setting are pooled: agent structured." in found["remarks"]


def test_the_order_of_runs_and_rows_does_not_matter(make: Any, tasks: list[Task]) -> None:
    """Figures are equal whichever run and row comes first."""
    first, second = one_run(make, tasks, "r1", 1.0), one_run(make, tasks, "r2", 0.0, interface="keyword")
    backwards = make.together(second, evolve(first, rows_of={"r1": tuple(reversed(first.rows_of["r1"]))}))
    assert figures(make.together(first, second)) == figures(backwards)


def test_another_task_under_one_id_is_refused(make: Any, tasks: list[Task]) -> None:
    """Runs of other families cannot stand in one table, whatever their settings."""
    other = [evolve(task, private={"goal": 1}) for task in tasks]
    both = make.together(one_run(make, tasks, "r1", 1.0), one_run(make, other, "r2", 0.0, interface="keyword"))
    with pytest.raises(UsageError, match="the task 'b1-volunteer' of run r2 is another one than that of run r1"):
        figures(both)


def test_other_limits_are_refused(make: Any, tasks: list[Task]) -> None:
    """Trials under another cap are no trials of the same setting; of another setting they may be."""
    first, second = one_run(make, tasks, "r1", 1.0), one_run(make, tasks, "r2", 0.0)
    limits = evolve(second.runs[0].spec.limits, turns={"agent": 3})
    strict = evolve(second, runs=(evolve(second.runs[0], spec=evolve(second.runs[0].spec, limits=limits)),))
    with pytest.raises(UsageError, match=r"r1 and r2 played 'agent structured' under different limits \(turns\)"):
        figures(make.together(first, strict))


def test_other_metrics_are_refused(make: Any, tasks: list[Task]) -> None:
    """Success by two versions of the metric is not one figure."""
    first, second = one_run(make, tasks, "r1", 1.0), one_run(make, tasks, "r2", 0.0)
    rows = [evolve(row, scorers={"success": "books-success@9"}) for row in second.rows_of["r2"]]
    with pytest.raises(UsageError, match=r"scored by different metrics.*unknown: r1; books-success@9: r2"):
        figures(make.together(first, evolve(second, rows_of={"r2": rows})))


def test_a_run_of_another_track_is_refused(make: Any, tasks: list[Task]) -> None:
    """Whichever place it has among the runs."""
    first, second = one_run(make, tasks, "r1", 1.0), one_run(make, tasks, "r2", 0.0)
    other = evolve(second, runs=(evolve(second.runs[0], spec=evolve(second.runs[0].spec, track="other")),))
    with pytest.raises(UsageError, match="run r2 is of the track 'other', and this analysis of 'books' alone"):
        figures(make.together(first, other))


def test_a_trial_that_comes_twice_is_refused(make: Any, tasks: list[Task]) -> None:
    """Within one run that is damage."""
    one = one_run(make, tasks, "r1", 1.0)
    with pytest.raises(DataError, match="twice"):
        figures(evolve(one, rows_of={"r1": [*one.rows_of["r1"], one.rows_of["r1"][0]]}))


def spec(name: str, **options: Any) -> ComponentSpec:
    """Return a component."""
    return ComponentSpec(name, options)


def test_components_are_named_by_model_and_by_what_sets_them_apart() -> None:
    """The model alone where that is enough; else the options that differ, the component's own name among them."""
    specs = [
        spec("litellm", model="a"),
        spec("litellm", model="b", temperature=0),
        spec("litellm", model="b", temperature=1),
        spec("endpoint", model="c"),
        spec("litellm", model="c"),
        spec("popularity"),
    ]
    names = Names.make(specs)
    assert [names.name(one) for one in specs] == [
        "a",
        "b (temperature 0)",
        "b (temperature 1)",
        "c (component endpoint)",
        "c (component litellm)",
        "popularity",
    ]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "m structured"),
        ({"size": 20000}, "m structured"),
        ({"size": 5000}, "m structured, 5k"),
        ({"size": 1234, "interface": "keyword"}, "m keyword, 1234"),
        ({"retriever": "whoosh"}, "m structured"),
        ({"retriever": "whoosh", "interface": "keyword"}, "m keyword, whoosh"),
        ({"retriever": "impact", "interface": "keyword"}, "m keyword"),
        ({"prompt": "ask"}, "m structured, ask"),
        ({"field_list": True, "interface": "keyword"}, "m keyword, base+fields"),
        ({"catalog": "/real"}, "m structured, /real"),
        ({"task_seed": 3}, "m structured"),
        ({"patience": 2}, 'm structured, {"patience":2}'),
    ],
)
def test_a_setting_is_named_by_what_is_unusual(options: dict[str, Any], name: str) -> None:
    """A size of all books is none, a retriever counts on the keyword interface alone, unknown options are kept."""
    agent, user = spec("x", model="m"), spec("books-rules")
    found = setting_of(Cell("c", {"agent": agent, "user": user}, options), Names.make([agent]), Names.make([user]))
    assert found is not None
    assert found.name == name


def test_another_user_is_part_of_the_name() -> None:
    """And a cell without an agent has no setting."""
    assert Setting("m", "structured", user="voice").name == "m structured, user voice"
    assert setting_of(Cell("c", {}), Names.make([]), Names.make([spec("books-rules")])) is None


def test_which_users_a_model_voices() -> None:
    """One that names a model, and one of another plugin; not the scripted ones of this plugin."""
    users = [
        spec("books-rules"),
        spec("books-costly"),
        spec("litellm", model="m"),
        spec("endpoint"),
        spec("books-x", model="m"),
    ]
    assert [is_voiced(one) for one in users] == [False, False, True, True, True]


def test_a_setting_that_is_not_the_papers_is_told(make: Any, tasks: list[Task]) -> None:
    """Runs with another prompt and user alone are shown, with a remark; the base prompt is taken where it is there."""
    only = one_run(make, tasks, "r1", 1.0, prompt="ask")
    assert "The tables are of the prompt 'ask'." in figures(only)["remarks"]
    both = make.together(only, one_run(make, tasks, "r2", 0.0))
    assert list(figures(both)["tables"]) == ["agent structured"]
    assert list(figures(both, prompt="ask")["tables"]) == ["agent structured, ask"]


def test_another_size_is_shown_where_it_is_all_there_is_or_asked_for(make: Any, tasks: list[Task]) -> None:
    """The whole catalog first, or else the most books there are; every size can be asked for."""
    runs = [one_run(make, tasks, f"r{size}", 1.0, size=size) for size in (0, 5000, 10000)]
    every, smaller = make.together(*runs), make.together(*runs[1:])
    found = [figures(every), figures(smaller), figures(every, size=5000)]
    names = ["agent structured", "agent structured, 10k", "agent structured, 5k"]
    assert [list(one["tables"]) for one in found] == [[name] for name in names]
    assert "The tables are of catalogs of 10,000 books." in found[1]["remarks"]


def test_reference_agents_are_tested_only_where_there_is_no_other(make: Any, tasks: list[Task]) -> None:
    """They stand in the tables beside other agents, and in the tests where they are alone or asked for."""
    rows = [make.done(name, task.id, success=1.0) for name in ("a", "b", "c") for task in tasks]
    cells = [make.cell("a", "popularity"), make.cell("b", "other"), make.cell("c", "no-ask")]
    run = make.run(cells, tasks, rows)
    assert figures(run)["chosen"]["agents"] == ("other",)
    assert list(figures(run)["tables"]) == ["other structured", "no-ask structured", "popularity structured"]
    assert figures(run, agents="no-ask, other")["chosen"]["agents"] == ("no-ask", "other")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"prompt": "asks"}, "no run has the prompt 'asks' .there: base"),
        ({"user": "nobody"}, "no run has the user 'nobody' .there: books-rules"),
        ({"size": 7}, "no run has the size 7 .there: whole"),
        ({"agents": "agnt"}, "no run has the agent 'agnt' .there: agent.*Did you mean 'agent'"),
        ({"block": "pannel"}, "no block of families 'pannel' .known: panel, reliability, all.*Did you mean 'panel'"),
        ({"block": "reliability"}, "no run has a task of the block 'reliability'.*analysis.block=all"),
    ],
)
def test_what_no_run_has_is_refused(make: Any, tasks: list[Task], options: dict[str, Any], words: str) -> None:
    """The message says what there is."""
    with pytest.raises(UsageError) as caught:
        figures(one_run(make, tasks, "r1", 1.0), **options)
    assert re.search(words, f"{caught.value.message} {caught.value.hint}")


def test_what_trials_took_is_summed_by_setting(make: Any, tasks: list[Task]) -> None:
    """Over the cells of both runs, in the operational half of the report and in a table; never in the figures."""
    used = {"agent": {"input_tokens": 100.0, "output_tokens": 10.0, "replies": 2.0, "seconds": 0.5, "cost": 0.25}}
    runs = [one_run(make, tasks, name, 1.0) for name in ("r1", "r2")]
    told = [
        evolve(run, rows_of={n: [evolve(row, usage=used) for row in rows] for n, rows in run.rows_of.items()})
        for run in runs
    ]
    report = BooksPaper().report(make.together(*told))
    took = report.operational["settings"]["agent structured"]
    assert (took["trials"], took["seconds"], took["usage"]["agent"]["input_tokens"]) == (12, 6.0, 1200.0)
    shown = next(
        block
        for block in report.document.blocks
        if isinstance(block, Table) and "are means of a trial" in block.caption
    )
    assert shown.rows == (("agent structured", 12, 0.5, 0.25, 100.0, 10.0, 3.0, 12),)
    assert report.figures == BooksPaper().report(make.together(*runs)).figures
