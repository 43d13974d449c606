"""How trials and scores are written: rows from records, nothing ever stored twice or overwritten."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from recfw.model.run import Trial, TrialKey
from recfw.model.score import Score
from recfw.serialize import canonical, checksum, clean, line_checksums
from recfw.store.database import Database
from recfw.store.tables import ATTACHMENT, SCORE, TRACE, TRIAL, TRIAL_ATTACHMENT

_TRIAL_FACTS = tuple(name for name in TRIAL.c.keys() if name not in {"id", "checksum"})  # noqa: SIM118 - no mapping


def insert_trials(database: Database, connection: Connection, run: str, trials: Iterable[Trial]) -> int:
    """Write attempts with all that belongs to them, those left out that are stored already; return how many are new."""
    insert = database.insert(TRIAL).on_conflict_do_nothing().returning(TRIAL.c.id)
    new: dict[int, Trial] = {}
    for trial in trials:
        number = connection.execute(insert, _trial_row(run, trial)).scalar()
        if number is not None:
            new[number] = trial
    traces = [
        {"trial_id": n, "data": t.trace, "checksums": t.checksums or line_checksums(t.trace)} for n, t in new.items()
    ]
    _insert_all(connection, TRACE.insert(), traces)
    _insert_all(connection, SCORE.insert(), [_score_row(n, s, 0) for n, t in new.items() for s in _distinct(t.scores)])
    attachments = {a.sha256: a for t in new.values() for a in t.attachments}
    known = [{"sha256": sha, "media_type": a.media_type, "data": a.data} for sha, a in sorted(attachments.items())]
    _insert_all(connection, database.insert(ATTACHMENT).on_conflict_do_nothing(), known)
    links = [
        {"trial_id": n, "sha256": sha} for n, t in new.items() for sha in sorted({a.sha256 for a in t.attachments})
    ]
    _insert_all(connection, TRIAL_ATTACHMENT.insert(), links)
    return len(new)


def insert_scores(database: Database, connection: Connection, numbers: dict[int, Sequence[Score]]) -> None:
    """
    Add scores to stored attempts (row number -> scores), as the newest.

    What a scorer has said stays as it is. Only a figure that it could not have (None) is filled when it has it now.
    """
    newest = select(SCORE.c.trial_id, func.max(SCORE.c.scored)).where(SCORE.c.trial_id.in_(numbers))
    last = {row[0]: row[1] for row in connection.execute(newest.group_by(SCORE.c.trial_id))}
    rows = [
        _score_row(number, score, last.get(number, -1) + 1)
        for number, scores in sorted(numbers.items())
        for score in _distinct(scores)
    ]
    insert = database.insert(SCORE)
    fill = {name: insert.excluded[name] for name in ("value", "detail", "scored", "checksum")}
    empty = SCORE.c.value.is_(None) & insert.excluded.value.is_not(None)
    statement = insert.on_conflict_do_update(index_elements=list(SCORE.primary_key), set_=fill, where=empty)
    _insert_all(connection, statement, rows)


def is_trial(run: str, key: TrialKey) -> Any:
    """Return the condition that a row is an attempt of this trial."""
    c = TRIAL.c
    return (c.run_id == run) & (c.cell == key.cell) & (c.task_id == key.task) & (c.trial == key.trial)


def _insert_all(connection: Connection, statement: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(statement, rows)


def _trial_row(run: str, trial: Trial) -> dict[str, Any]:
    row = {
        "run_id": run,
        "cell": trial.key.cell,
        "task_id": trial.key.task,
        "trial": trial.key.trial,
        "attempt": trial.attempt,
        "seed": trial.seed,
        "status": trial.status.value,
        "stop": trial.stop,
        "error": clean(trial.error).replace("\0", "\N{REPLACEMENT CHARACTER}"),
        "started": _float(trial.started),
        "seconds": _float(trial.seconds),
        "events": trial.events,
        "usage": trial.usage,
    }
    return {**row, "checksum": row_checksum(row)}


def row_checksum(row: Mapping[Any, Any]) -> bytes:
    """Return the checksum of a trial's row, of its columns but for the row's number."""
    return checksum(canonical({name: row[name] for name in _TRIAL_FACTS}))


def score_checksum(metric: str, scorer: str, value: float | None, detail: dict[str, Any]) -> bytes:
    """Return the checksum of a score's row."""
    return checksum(canonical([metric, scorer, value, detail]))


def _float(value: float) -> float:
    """Return a number as both databases give it back: no integer, and no zero with a sign."""
    return float(value) + 0.0


def _distinct(scores: Iterable[Score]) -> list[Score]:
    """Return the scores, the first of each figure and scorer."""
    first: dict[tuple[str, str], Score] = {}
    for score in scores:
        first.setdefault((score.metric, score.scorer), score)
    return list(first.values())


def _score_row(number: int, score: Score, scored: int) -> dict[str, Any]:
    value = None if score.value is None or math.isnan(score.value) else _float(score.value)
    return {
        "trial_id": number,
        "metric": score.metric,
        "scorer": score.scorer,
        "scored": scored,
        "value": value,
        "detail": score.detail,
        "checksum": score_checksum(score.metric, score.scorer, value, score.detail),
    }
