"""The task file: what goes in comes out, byte for byte, and what is no task file is told."""

import gzip
from collections import Counter

import pytest
from attrs import evolve

from recfw.errors import DataError
from recfw_orchestration.servers import tools_of
from recfw_orchestration.tasks import pool
from recfw_orchestration.tasks.counts import counts_report, figures
from recfw_orchestration.tasks.plan import COUNTS
from recfw_orchestration.tasks.records import phrases_of, rounds_of, workflow_of

HEAD = b'{"format":1,"seed":1,"data":"d","words":"w","tools":{}}\n'


def test_the_shipped_file_has_the_papers_tasks():
    """By domain and level."""
    found = {}
    for task in pool.shipped().tasks:
        cell = found.setdefault(task.facets["domain"], dict.fromkeys(("L1", "L2", "L3", "L4"), 0))
        cell[task.facets["level"]] += 1
    assert found == COUNTS


def test_the_shipped_tasks_are_compared_as_the_docs_say():
    """Aspects of products as words; 255 of 276 categories of searches may be left out, and all domains of the web."""
    calls = [call for task in pool.shipped().tasks for call in workflow_of(task).calls]
    free = {"search_products": "category", "search_businesses": "category", "web_search": "domain"}
    found = Counter((free[each.tool], each.arguments[free[each.tool]].optional) for each in calls if each.tool in free)
    assert {("category", True): 255, ("category", False): 21, ("domain", True): 300} == found
    assert 555 == sum(one.optional for call in calls for one in call.arguments.values())
    sentiment = [call.arguments["aspect"].kind for call in calls if call.tool == "analyze_product_sentiment"]
    assert ["text"] * 178 == sentiment


def test_a_file_reads_back(tmp_path):
    """Compressed or not; the same bytes each time."""
    shipped = pool.shipped()
    few = shipped.tasks[::200]
    for name in ("t.jsonl", "t.jsonl.gz"):
        pool.write(tmp_path / name, shipped.head, few)
        first = (tmp_path / name).read_bytes()
        back = pool.read(tmp_path / name)
        pool.write(tmp_path / name, back.head, back.tasks)
        assert (back.tasks, back.head, (tmp_path / name).read_bytes()) == (few, shipped.head, first)


def test_tools_come_from_the_head():
    """They are the domain's and web search."""
    task = pool.shipped().tasks[0]
    assert task.public["tools"] == list(tools_of("electronics"))


def test_every_task_has_a_workflow_and_phrases():
    """Rounds are those that its dependencies need."""
    for task in pool.shipped().tasks[::50]:
        flow = workflow_of(task)
        assert (max(rounds_of(flow.calls).values()), flow.level) == (flow.rounds, task.facets["level"])
        assert phrases_of(task)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"nonsense", "t.jsonl line 1: no valid JSON"),
        (b"{}", "t.jsonl line 1"),
        (b"\x1f\x8bnonsense", "t.jsonl: is compressed, but damaged"),
        (b'{"format":9,"seed":1,"data":"d","words":"w","tools":{}}', "has format 9, this version reads 1"),
        (HEAD + b"[]", "t.jsonl line 2: is no task"),
        (
            HEAD + b'{"id":"a","facets":{"domain":"places"},"public":{},"private":{}}',
            "t.jsonl line 2: its domain 'places' has no tools",
        ),
    ],
)
def test_what_is_no_task_file_is_told(tmp_path, data, told):
    """File and line are named."""
    (tmp_path / "t.jsonl").write_bytes(data)
    with pytest.raises(DataError, match=r"t\.jsonl") as caught:
        pool.read(tmp_path / "t.jsonl")
    assert told in str(caught.value)


def test_a_repeated_id_is_told(tmp_path):
    """Ids are what everything else goes by."""
    shipped = pool.shipped()
    pool.write(tmp_path / "t.jsonl", shipped.head, [shipped.tasks[0], evolve(shipped.tasks[1], id=shipped.tasks[0].id)])
    with pytest.raises(DataError, match="has two tasks"):
        pool.read(tmp_path / "t.jsonl")


def test_a_file_that_is_not_there_is_told(tmp_path):
    """With its path."""
    with pytest.raises(DataError, match="cannot be read"):
        pool.read(tmp_path / "none.jsonl")


def test_compression_knows_no_clock(tmp_path):
    """The header's time is 0."""
    pool.write(tmp_path / "t.gz", pool.shipped().head, ())
    assert (tmp_path / "t.gz").read_bytes()[4:8] == b"\0\0\0\0"
    assert gzip.decompress((tmp_path / "t.gz").read_bytes()).startswith(b'{"format":1')


def test_counts_stand_beside_the_papers():
    """In the document and as figures."""
    report = counts_report(pool.shipped(), "shipped")
    assert sum(figures(pool.shipped().tasks).values()) == 1288
    assert ("sum", "300 of 300", "383 of 383", "383 of 383", "222 of 222", "1,288 of 1,288") in report.document.blocks[
        3
    ].rows
