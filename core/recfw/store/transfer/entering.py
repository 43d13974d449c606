"""A run's parts into a store: all that it does not have yet, in one transaction, nothing that contradicts it."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from attrs import define, frozen
from sqlalchemy import Connection, Row, func, select, tuple_, update

from recfw.errors import DataError
from recfw.model.run import Status
from recfw.serialize import canonical
from recfw.store.labels import notes_of, put_note
from recfw.store.repository import DELETING, Store
from recfw.store.tables import ATTACHMENT, RUN, RUN_TAG, RUN_TASK, SCORE, TASK, TRACE, TRIAL, TRIAL_ATTACHMENT
from recfw.store.transfer.records import AttachmentPart, Part, RunPart, ScorePart, TaskPart, TrialPart
from recfw.store.transfer.sources import Source

MOST, HEAVIEST = 500, 16 << 20
"""Parts, and bytes of traces or attachments, that are written at once."""


_COMPARED = {
    "spec_digest": "another specification",
    "content_digest": "another content digest",
    "versions": "other versions",
    "planned": "another number of planned trials",
}
"""What two runs of one id must have in common -> how it is told that they have not."""


@frozen
class Arrived:
    """
    What the import of one run came to.

    Args:
        run: Its id.
        new: Whether the store did not have it.
        attempts, scores: How many were not there.
        held: How many of its attempts were there already.
        note: Words on what was left as it was.
    """

    run: str
    new: bool
    attempts: int
    scores: int
    held: int
    note: str = ""


def check(source: Source, passed: Callable[[Part], None] = lambda _: None) -> None:
    """Read a source from beginning to end; DataError where anything is not sound."""
    for part in source.parts(True):
        passed(part)


def import_runs(store: Store, source: Source, passed: Callable[[Part], None] = lambda _: None) -> Iterator[Arrived]:
    """
    Bring the runs of a source into a store, one transaction each: a killed import leaves none of a run.

    :func:`check` the source before. A run that is there already is given what it lacks: attempts, scores, tags.

    Raises:
        DataError: A run is there with other content; the message names the difference, and nothing was changed.
        StoreError: The run is being carried out, or the database refuses.
    """
    parts = source.parts(False)
    first = next(parts, None)
    while isinstance(first, RunPart):
        following: list[RunPart] = []

        def one(following: list[RunPart] = following) -> Iterator[Part]:
            for part in parts:
                if isinstance(part, RunPart):
                    following.append(part)
                    return
                passed(part)
                yield part

        passed(first)
        with store.journal(first.id).lock():
            yield _Entry(store, first).carry_out(one())
        first = following[0] if following else None


@define
class _Entry:
    """One run on its way in."""

    store: Store
    run: RunPart
    new: bool = False
    attempts: int = 0
    scores: int = 0
    held: int = 0
    note: str = ""

    def carry_out(self, parts: Iterator[Part]) -> Arrived:
        with self.store.database.write() as connection:
            self._enter_run(connection)
            for batch in _batches(parts):
                match batch[0]:
                    case TaskPart():
                        self._enter_tasks(connection, [p for p in batch if isinstance(p, TaskPart)])
                    case AttachmentPart():
                        self._enter_attachments(connection, [p for p in batch if isinstance(p, AttachmentPart)])
                    case TrialPart():
                        self._enter_trials(connection, [p for p in batch if isinstance(p, TrialPart)])
            self._label(connection)
            self._settle(connection)
        return Arrived(self.run.id, self.new, self.attempts, self.scores, self.held, self.note)

    def _differs(self, what: str) -> DataError:
        return DataError(
            f"{self.store.where}: run {self.run.id} is there already, with {what}.",
            "Nothing of it was imported. Import it into a store of its own with --store.",
        )

    # --- The run ------------------------------------------------------------------------------------------------------

    def _enter_run(self, connection: Connection) -> None:
        known = connection.execute(select(RUN).where(RUN.c.id == self.run.id)).one_or_none()
        self.new = known is None
        if known is not None:
            self._compare(known)
            return
        values = {name: getattr(self.run, name) for name in RUN.c.keys() if name not in {"plugin", "track"}}  # noqa: SIM118 - no mapping
        values |= {name: self.run.spec[name] for name in ("plugin", "track")}
        values["status"] = "interrupted" if self.run.status == "running" else self.run.status
        connection.execute(RUN.insert().values(values))

    def _compare(self, known: Row[Any]) -> None:
        if known.status == DELETING:
            raise self._differs(f"its deletion half done; finish that with: recfw runs delete {self.run.id}")
        for name, words in _COMPARED.items():
            there, coming = getattr(known, name), getattr(self.run, name)
            if there != coming:
                raise self._differs(f"{words}: {_brief(there)} there, {_brief(coming)} in what is imported")

    def _label(self, connection: Connection) -> None:
        tags = [{"run_id": self.run.id, "tag": tag} for tag in self.run.tags]
        if tags:
            connection.execute(self.store.database.insert(RUN_TAG).on_conflict_do_nothing(), tags)
        here = notes_of(connection, self.store.database).get(self.run.id, "")
        if not here:
            put_note(connection, self.run.id, self.run.note)
        elif self.run.note not in {"", here}:
            self.note = "its note here was kept, the other was left out"

    def _settle(self, connection: Connection) -> None:
        """Write down that a run is complete where what came in has completed it."""
        if self.new or not self.attempts:
            return
        c = TRIAL.c
        done = select(c.cell, c.task_id, c.trial).where(c.run_id == self.run.id, c.status == Status.COMPLETED.value)
        count = connection.execute(select(func.count()).select_from(done.distinct().subquery())).scalar_one()
        if count >= self.run.planned:
            connection.execute(update(RUN).where(RUN.c.id == self.run.id).values(status="completed"))

    # --- What belongs to it -------------------------------------------------------------------------------------------

    def _enter_tasks(self, connection: Connection, parts: list[TaskPart]) -> None:
        c, insert = RUN_TASK.c, self.store.database.insert
        known = {}
        if not self.new:
            query = select(c.cell, c.task_id, c.digest).where(c.run_id == self.run.id)
            known = {(row.cell, row.task_id): row.digest for row in connection.execute(query)}
        for part in parts:
            if known.get((part.cell, part.id), part.digest) != part.digest:
                raise self._differs(f"another task '{part.id}'")
        rows = [{"digest": part.digest, "data": part.data} for part in parts]
        connection.execute(insert(TASK).on_conflict_do_nothing(), rows)
        links = [
            {"run_id": self.run.id, "cell": p.cell, "task_id": p.id, "position": p.position, "digest": p.digest}
            for p in parts
        ]
        connection.execute(insert(RUN_TASK).on_conflict_do_nothing(), links)

    def _enter_attachments(self, connection: Connection, parts: list[AttachmentPart]) -> None:
        rows = [{"sha256": part.sha256, "media_type": part.media_type, "data": part.data} for part in parts]
        connection.execute(self.store.database.insert(ATTACHMENT).on_conflict_do_nothing(), rows)

    def _enter_trials(self, connection: Connection, parts: list[TrialPart]) -> None:
        known = {} if self.new else self._known(connection, parts)
        missing = [part for part in parts if part.place not in known]
        self.attempts += len(missing)
        self.held += len(parts) - len(missing)
        rows = [{**p.facts, "run_id": self.run.id, "checksum": bytes.fromhex(p.checksum)} for p in missing]
        if rows:
            insert = TRIAL.insert().returning(TRIAL.c.id, sort_by_parameter_order=True)
            numbers = list(connection.execute(insert, rows).scalars())
            _put(connection, TRACE, [
                {"trial_id": n, "data": part.trace, "checksums": part.checksums}
                for n, part in zip(numbers, missing, strict=True)
            ])  # fmt: skip
            self._put_scores(connection, [(n, part.scores) for n, part in zip(numbers, missing, strict=True)])
            _put(connection, TRIAL_ATTACHMENT, [
                {"trial_id": n, "sha256": sha}
                for n, part in zip(numbers, missing, strict=True)
                for sha in part.attachments
            ])  # fmt: skip
        self._merge(connection, [(known[part.place], part) for part in parts if part.place in known])

    def _known(self, connection: Connection, parts: list[TrialPart]) -> dict[tuple[str, str, int, int], Any]:
        """Return the stored attempts that lie between the first and the last of these, by their place in the order."""
        c = TRIAL.c
        place = tuple_(c.cell, c.task_id, c.trial, c.attempt)
        query = select(c.id, c.cell, c.task_id, c.trial, c.attempt, c.checksum, TRACE.c.checksums)
        query = query.join(TRACE, TRACE.c.trial_id == c.id, isouter=True)
        query = query.where(c.run_id == self.run.id, place >= parts[0].place, place <= parts[-1].place)
        return {(row.cell, row.task_id, row.trial, row.attempt): row for row in connection.execute(query)}

    def _merge(self, connection: Connection, pairs: list[tuple[Any, TrialPart]]) -> None:
        """Hold attempts that are there against those that come; add the scores that only the latter have."""
        for row, part in pairs:
            if bytes(row.checksum).hex() != part.checksum or bytes(row.checksums or b"") != part.checksums:
                raise self._differs(f"another {part}")
        known = self._known_scores(connection, [row.id for row, _ in pairs])
        added: list[tuple[int, tuple[ScorePart, ...]]] = []
        for row, part in pairs:
            new = []
            for score in part.scores:
                here = known.get((row.id, score.metric, score.scorer))
                if here is None:
                    new.append(score)
                elif here.checksum.hex() != score.checksum:
                    if here.value is not None and score.value is not None:
                        raise self._differs(f"another {score.metric} by {score.scorer} for {part}")
                    if here.value is None and score.value is not None:
                        self._fill(connection, row.id, score)
            added.append((row.id, tuple(new)))
            self.scores += len(new)
        self._put_scores(connection, added)

    def _known_scores(self, connection: Connection, numbers: list[int]) -> dict[tuple[int, str, str], Any]:
        c = SCORE.c
        query = select(c.trial_id, c.metric, c.scorer, c.value, c.checksum).where(c.trial_id.in_(numbers))
        return {(row.trial_id, row.metric, row.scorer): row for row in connection.execute(query)}

    def _put_scores(self, connection: Connection, given: list[tuple[int, tuple[ScorePart, ...]]]) -> None:
        _put(connection, SCORE, [{"trial_id": n, **_columns(score)} for n, scores in given for score in scores])

    def _fill(self, connection: Connection, number: int, score: ScorePart) -> None:
        """Give a figure that could not be had the value that the other store has."""
        c = SCORE.c
        mine = (c.trial_id == number) & (c.metric == score.metric) & (c.scorer == score.scorer)
        connection.execute(update(SCORE).where(mine).values(_columns(score)))
        self.scores += 1


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value).decode()
    return text if len(text) <= 200 else f"{text[:200]}…"


def _columns(score: ScorePart) -> dict[str, Any]:
    return {
        "metric": score.metric,
        "scorer": score.scorer,
        "scored": score.scored,
        "value": score.value,
        "detail": score.detail,
        "checksum": bytes.fromhex(score.checksum),
    }


def _put(connection: Connection, table: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(table.insert(), rows)


def _batches(parts: Iterator[Part]) -> Iterator[list[Part]]:
    """Yield parts of one kind together, as many as may be written at once."""
    batch: list[Part] = []
    weight = 0
    for part in chain(parts, (None,)):
        full = len(batch) >= MOST or weight >= HEAVIEST
        if batch and (part is None or full or type(part) is not type(batch[0])):
            yield batch
            batch, weight = [], 0
        if part is not None:
            batch.append(part)
            weight += _weight(part)


def _weight(part: Part) -> int:
    return len(part.trace) if isinstance(part, TrialPart) else len(getattr(part, "data", b""))
