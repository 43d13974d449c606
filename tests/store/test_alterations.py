"""What of a stored trial is not as it was stored is told, on both databases."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from sqlalchemy import Table, delete, update

from recfw.errors import DataError, UsageError
from recfw.model.run import Attachment, Trial, TrialKey
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.serialize import pack_trace, trace_lines
from recfw.store.database import Database
from recfw.store.repository import Store
from recfw.store.tables import ATTACHMENT, SCORE, TASK, TRACE, TRIAL

MakeTrial = Callable[..., Trial]
Edit = Callable[[list[Any]], Any]
KEY = TrialKey("a", "t1", 0)


def alter(store: Store, table: Table, **values: Any) -> None:
    """Change columns of a table's rows behind the store's back."""
    with store._database.write() as connection:
        connection.execute(update(table).values(**values))


def edit_trace(store: Store, edit: Edit) -> None:
    """Edit the JSON values of a stored trace's events, and pack them again with another writer of JSON."""
    events = [json.loads(line) for line in trace_lines(store.packed_trace("r1", KEY))]
    edit(events)
    alter(store, TRACE, data=pack_trace(json.dumps(event).encode() for event in events))


@pytest.fixture
def stored(store: Store, make_trial: MakeTrial) -> Store:
    """A store with one trial."""
    store.add_trial("r1", make_trial())
    return store


@pytest.mark.parametrize("known", [True, False])
def test_untouched(store: Store, make_trial: MakeTrial, known: bool) -> None:
    """Nothing is told of what was not touched, whether its recorder gave checksums or not."""
    trial = make_trial()
    odd = evolve(trial, seconds=-0.0, started=7, error="a\0b\ud800", usage={"agent": {"cost": 1, "x": 0.1 + 0.2}})
    scores = (Score("zero", -0.0, "s"), Score("nan", float("nan"), "s"), Score("third", 1 / 3, "s", {"b": 1, "a": 2.0}))
    store.add_trial("r1", evolve(odd, scores=scores, checksums=trial.checksums if known else b""))
    found = store.stored("r1", KEY)
    assert (found.altered_event, found.altered_scores, store.altered_rows("r1")) == (None, (), {})
    assert found.trial.trace == trial.trace
    assert [score.metric for score in found.trial.scores] == ["nan", "third", "zero"]


def test_written_anew(stored: Store) -> None:
    """The same events in another notation of JSON are what was recorded."""
    edit_trace(stored, lambda events: None)
    assert stored.stored("r1", KEY).altered_event is None


@pytest.mark.parametrize(
    ("edit", "event"),
    [
        (lambda events: events[0]["reply"].update(text="hello indeed"), 0),
        (lambda events: events[0].update(seconds=9.0), 0),
        (lambda events: events[1]["summary"].update(n=2), 1),
        (lambda events: events.pop(), 1),
        (lambda events: events.pop(0), 0),
        (lambda events: events.append(events[-1]), 2),
        (lambda events: events.clear(), 0),
    ],
)
def test_altered_event(stored: Store, edit: Edit, event: int) -> None:
    """The first event that is not the recorded one is told, be it one too many or too few."""
    edit_trace(stored, edit)
    assert stored.stored("r1", KEY).altered_event == event


def test_line_that_is_no_event(stored: Store) -> None:
    """A line that is no JSON is not the recorded one."""
    alter(stored, TRACE, data=pack_trace([b"hello"]))
    assert stored.stored("r1", KEY).altered_event == 0


@pytest.mark.parametrize(
    "values",
    [
        {"seed": 1},
        {"status": "failed"},
        {"stop": "other"},
        {"error": "other"},
        {"started": 9.0},
        {"seconds": 9.0},
        {"events": 9},
        {"usage": {}},
        {"trial": 5},
    ],
    ids=lambda values: next(iter(values)),
)
def test_altered_record(stored: Store, values: dict[str, Any]) -> None:
    """Whatever a trial's row says is held against its checksum."""
    alter(stored, TRIAL, **values)
    assert stored.altered_rows("r1") == {TrialKey("a", "t1", values.get("trial", 0)): 1}


@pytest.mark.parametrize("values", [{"value": 0.5}, {"detail": {"x": 1}}, {"scorer": "other"}], ids=str)
def test_altered_score(stored: Store, values: dict[str, Any]) -> None:
    """Whatever a score says is held against its checksum: a judge's cannot be computed anew."""
    alter(stored, SCORE, **values)
    assert len(stored.stored("r1", KEY).altered_scores) == 2


def test_a_filled_score_is_not_altered(store: Store, make_trial: MakeTrial) -> None:
    """A figure that a scorer gave later has its own checksum."""
    store.add_trial("r1", make_trial(scores=(Score("tone", None, "judge"),)))
    store.add_scores("r1", {(KEY, 1): [Score("tone", 4.0, "judge"), Score("tact", 3.0, "judge")]})
    found = store.stored("r1", KEY)
    assert {score.metric: score.value for score in found.trial.scores} == {"tone": 4.0, "tact": 3.0}
    assert found.altered_scores == ()


def test_missing_trace(stored: Store) -> None:
    """A trial whose trace is gone is named."""
    with stored._database.write() as connection:
        connection.execute(delete(TRACE))
    for read in (stored.stored, stored.trace):
        with pytest.raises(DataError, match=r"^run r1, trial a/t1/0: its trace is missing\. Restore a copy"):
            read("r1", KEY)


def test_unknown_status(stored: Store) -> None:
    """A status that does not exist names its trial."""
    alter(stored, TRIAL, status="won")
    with pytest.raises(DataError, match=r"^trial a/t1/0, attempt 1: the stored status is 'won'\.$"):
        list(stored.rows("r1"))


def test_altered_attachment(store: Store, make_trial: MakeTrial) -> None:
    """Bytes that do not have their digest are not given out."""
    sha256 = hashlib.sha256(b"picture").hexdigest()
    store.add_trial("r1", make_trial(attachments=(Attachment(sha256, "image/png", b"picture"),)))
    alter(store, ATTACHMENT, data=b"other")
    with pytest.raises(DataError, match=f"the bytes of attachment {sha256} are not those that were stored"):
        store.attachment(sha256)


def test_altered_task(store: Store) -> None:
    """A stored task that is none is named by its id, which its row does not decide."""
    store.add_tasks("r1", [Task("t1", "c")])
    alter(store, TASK, data=Task("t2", "c"))
    assert store.tasks("r1") == {"t1": Task("t2", "c")}
    alter(store, TASK, data={"id": "t1"})
    with pytest.raises(DataError, match=r"^run r1, stored task 't1': "):
        store.tasks("r1")


def test_no_json(stored: Store) -> None:
    """Text that is no JSON is an error of the store's data."""
    with stored._database.write() as connection:
        connection.exec_driver_sql("UPDATE trial SET usage = 'hello'")
    with pytest.raises(DataError, match=r"^a stored record: no valid JSON"):
        list(stored.rows("r1"))


@pytest.mark.parametrize(
    "place", ["mysql://me:secret@host/db", "sqlite://x.db", "file:///x.db", "redis+tls://x", "S3://"]
)
def test_other_addresses_are_refused(place: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of another kind is not taken for a path, and its password is not shown."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        Database(place)
    scheme = place.partition("://")[0]
    assert caught.value.message == f"a result store cannot be kept in {scheme}://…."
    assert caught.value.hint == "Name a file, sqlite:///PATH, or postgresql://USER@HOST/DATABASE."
    assert list(tmp_path.iterdir()) == []
