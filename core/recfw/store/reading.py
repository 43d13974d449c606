"""How trials are read back: streams in a fixed order, batches of rows and never a whole run."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, cast

from sqlalchemy import Connection, Row, and_, or_, select

from recfw.errors import DataError
from recfw.model.results import ResultRow
from recfw.model.run import Status, TrialKey
from recfw.model.score import Score
from recfw.model.usage import JUDGES, Spending, add_usage, usage_of_scores
from recfw.store.records import TrialInfo
from recfw.store.tables import SCORE, TRIAL
from recfw.store.writing import row_checksum, score_checksum

BATCH = 500

_COLUMNS = (
    TRIAL.c.id,
    TRIAL.c.cell,
    TRIAL.c.task_id,
    TRIAL.c.trial,
    TRIAL.c.attempt,
    TRIAL.c.seed,
    TRIAL.c.status,
    TRIAL.c.stop,
    TRIAL.c.error,
    TRIAL.c.started,
    TRIAL.c.seconds,
    TRIAL.c.events,
    TRIAL.c.usage,
)


def stream_attempts(connection: Connection, *conditions: Any) -> Iterator[Row[Any]]:
    """Yield attempts' rows ordered by cell, task, trial and attempt."""
    order = (TRIAL.c.cell, TRIAL.c.task_id, TRIAL.c.trial, TRIAL.c.attempt)
    query = select(*_COLUMNS).where(*conditions).order_by(*order)
    with connection.execute(query, execution_options={"yield_per": BATCH}) as rows:
        yield from cast("Iterator[Row[Any]]", rows)


def last_words(connection: Connection, run: str) -> Iterator[ResultRow]:
    """Yield every trial's last word: its newest completed attempt, or else its newest failed one."""
    stream = stream_attempts(connection, TRIAL.c.run_id == run, TRIAL.c.status != Status.INTERRUPTED.value)
    groups = (list(attempts) for _, attempts in groupby(stream, lambda row: (row.cell, row.task_id, row.trial)))
    while batch := list(islice(groups, BATCH)):
        chosen = [(last_word(attempts), len(attempts)) for attempts in batch]
        numbers = [row.id for row, _ in chosen]
        scores, judged = newest_scores(connection, numbers), judges_spending(connection, numbers)
        for row, attempts in chosen:
            yield _result(run, row, attempts, scores.get(row.id, {}), judged.get(row.id))


def keys_named(connection: Connection, run: str, words: str) -> list[TrialKey]:
    """
    Return the trials that words may mean, in order: the one of that whole name, or else those of that short one.

    Short names leave out the cell, the number 0, or both. A name may be split in several ways, as cells and tasks may
    have slashes in them.
    """
    c = TRIAL.c
    parts = words.split("/")
    number = int(parts[-1]) if parts[-1].isdecimal() and str(int(parts[-1])) == parts[-1] else None
    pairs = [("/".join(parts[:n]), "/".join(parts[n:])) for n in range(1, len(parts))]
    short = [c.trial == 0, or_(c.task_id == words, *(and_(c.cell == cell, c.task_id == task) for cell, task in pairs))]
    found: list[Any] = [and_(*short)]
    if number is not None and number < 1 << 31:
        found.append((c.trial == number) & (c.task_id == "/".join(parts[:-1])))
        found += [(c.cell == cell) & (c.task_id + f"/{number}" == rest) & (c.trial == number) for cell, rest in pairs]
    query = select(c.cell, c.task_id, c.trial).where(c.run_id == run, or_(*found)).distinct()
    keys = [TrialKey(*row) for row in connection.execute(query.order_by(c.cell, c.task_id, c.trial))]
    return [key for key in keys if str(key) == words] or keys


def endings(connection: Connection, run: str) -> dict[str, int]:
    """Return how trials ended (status and stop reason of the last word) -> how many did."""
    c = TRIAL.c
    query = select(c.cell, c.task_id, c.trial, c.attempt, c.status, c.stop).where(c.run_id == run)
    query = query.where(c.status != Status.INTERRUPTED.value).order_by(c.cell, c.task_id, c.trial, c.attempt)
    found: dict[str, int] = {}
    with connection.execute(query, execution_options={"yield_per": BATCH}) as result:
        rows = cast("Iterator[Row[Any]]", result)
        for _, attempts in groupby(rows, lambda row: (row.cell, row.task_id, row.trial)):
            last = last_word(list(attempts))
            ending = f"{last.status}: {last.stop}"
            found[ending] = found.get(ending, 0) + 1
    return found


def last_word(attempts: Sequence[Row[Any]]) -> Row[Any]:
    """Return the attempt that stands for a trial, of its completed and failed attempts in order."""
    completed = [row for row in attempts if row.status == Status.COMPLETED.value]
    return (completed or attempts)[-1]


def newest_scores(connection: Connection, numbers: Iterable[int]) -> dict[int, dict[str, tuple[float | None, str]]]:
    """Return row number -> figure -> (value, who gave it) by the figure's newest scorer."""
    columns = (SCORE.c.trial_id, SCORE.c.metric, SCORE.c.value, SCORE.c.scorer)
    query = select(*columns).where(SCORE.c.trial_id.in_(list(numbers)))
    found: dict[int, dict[str, tuple[float | None, str]]] = {}
    order = (SCORE.c.scored, SCORE.c.metric, SCORE.c.scorer)
    for number, metric, value, scorer in connection.execute(query.order_by(*order)):
        found.setdefault(number, {})[metric] = (value, scorer)
    return {number: dict(sorted(figures.items())) for number, figures in found.items()}


def all_scores(connection: Connection, number: int) -> tuple[tuple[Score, ...], tuple[Score, ...]]:
    """Return every score of an attempt, the oldest first; and those among them that are not as they were written."""
    query = select(SCORE).where(SCORE.c.trial_id == number).order_by(SCORE.c.scored, SCORE.c.metric, SCORE.c.scorer)
    rows = [
        (Score(row.metric, row.value, row.scorer, row.detail), bytes(row.checksum)) for row in connection.execute(query)
    ]
    altered = (s for s, checksum in rows if checksum != score_checksum(s.metric, s.scorer, s.value, s.detail))
    return tuple(score for score, _ in rows), tuple(altered)


def judges_spending(connection: Connection, numbers: Iterable[int]) -> dict[int, dict[str, float]]:
    """Return row number -> what judges consumed for the attempt, where they consumed anything."""
    query = select(SCORE.c.trial_id, SCORE.c.detail).where(SCORE.c.trial_id.in_(list(numbers)), SCORE.c.detail != {})
    details: dict[int, list[Any]] = {}
    for number, detail in connection.execute(query):
        details.setdefault(number, []).append(detail)
    return {number: used for number, told in details.items() if (used := usage_of_scores(told))}


def rated(connection: Connection, run: str, scorer: str) -> set[TrialKey]:
    """Return the trials that have scores of this scorer, of which none could not be had because the scorer failed."""
    columns = (TRIAL.c.cell, TRIAL.c.task_id, TRIAL.c.trial, SCORE.c.value, SCORE.c.detail)
    query = select(*columns).join(SCORE, SCORE.c.trial_id == TRIAL.c.id)
    query = query.where(TRIAL.c.run_id == run, TRIAL.c.status == Status.COMPLETED.value, SCORE.c.scorer == scorer)
    found: dict[TrialKey, bool] = {}
    for cell, task, trial, value, detail in connection.execute(query, execution_options={"yield_per": BATCH}):
        key = TrialKey(cell, task, trial)
        found[key] = found.get(key, True) and (value is not None or "error" not in detail)
    return {key for key, whole in found.items() if whole}


def spending(connection: Connection, run: str) -> Spending:
    """Return what all attempts of a run consumed: role -> sums, and those of judges beside the roles."""
    total: Spending = {}
    used = select(TRIAL.c.usage).where(TRIAL.c.run_id == run)
    for usage in connection.execute(used, execution_options={"yield_per": BATCH}).scalars():
        add_usage(total, usage)
    told = select(SCORE.c.detail).join(TRIAL, TRIAL.c.id == SCORE.c.trial_id)
    told = told.where(TRIAL.c.run_id == run, SCORE.c.detail != {})
    judged = connection.execute(told, execution_options={"yield_per": BATCH}).scalars()
    add_usage(total, {JUDGES: usage_of_scores(judged)})
    return {role: sums for role, sums in total.items() if sums}


def altered_rows(connection: Connection, run: str) -> Iterator[tuple[TrialKey, int]]:
    """Yield (trial, attempt) of the rows of a run that are not as they were written."""
    query = select(TRIAL).where(TRIAL.c.run_id == run).order_by(TRIAL.c.id)
    with connection.execute(query, execution_options={"yield_per": BATCH}) as rows:
        for row in rows.mappings():
            if bytes(row["checksum"]) != row_checksum(row):
                yield TrialKey(row["cell"], row["task_id"], row["trial"]), row["attempt"]


def trial_info(row: Row[Any]) -> TrialInfo:
    """Return an attempt's row as a record."""
    return TrialInfo(
        TrialKey(row.cell, row.task_id, row.trial),
        row.attempt,
        row.seed,
        _status(row),
        row.stop,
        row.error,
        row.started,
        row.seconds,
        row.events,
        row.usage,
    )


def _status(row: Row[Any]) -> Status:
    try:
        return Status(row.status)
    except ValueError as error:
        key = TrialKey(row.cell, row.task_id, row.trial)
        raise DataError(f"trial {key}, attempt {row.attempt}: the stored status is '{row.status}'.") from error


def _result(
    run: str,
    row: Row[Any],
    attempts: int,
    scores: dict[str, tuple[float | None, str]],
    judged: dict[str, float] | None,
) -> ResultRow:
    told = scores if row.status == Status.COMPLETED.value else {}
    return ResultRow(
        run,
        row.cell,
        row.task_id,
        row.trial,
        _status(row),
        row.stop,
        attempts,
        row.seconds,
        {**row.usage, JUDGES: judged} if judged else row.usage,
        {figure: value for figure, (value, _) in told.items()},
        {figure: scorer for figure, (_, scorer) in told.items()},
    )
