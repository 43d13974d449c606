"""What people write on runs: tags, by which they find one again, and a note."""

import re
from collections.abc import Iterable

from sqlalchemy import Connection, delete, func, select

from recfw.errors import UsageError
from recfw.serialize import clean
from recfw.store.database import Database
from recfw.store.migrations import LABELS
from recfw.store.names import NEWEST
from recfw.store.tables import RUN_NOTE, RUN_TAG

_TAG = re.compile(r"[\w][\w.+-]{0,63}")

LONGEST_NOTE = 20_000
"""In characters."""
MOST_TAGS = 100
"""Of one run; the tags of several may come together where stores are merged."""


def check_tag(tag: str) -> str:
    """
    Return a tag as it was given.

    Raises:
        UsageError: It is none: longer than 64 characters, with blanks or signs other than ``._+-``, or ``latest``.
    """
    if not _TAG.fullmatch(tag) or tag in NEWEST:
        raise UsageError(
            f"{tag[:80]!r} cannot be a tag.", "A tag is a word of letters, digits and ._+- (64 at most), not 'latest'."
        )
    return tag


def check_note(note: str) -> str:
    """Return a note as it is stored; UsageError where it is too long."""
    if len(note) > LONGEST_NOTE:
        raise UsageError(f"the note has {len(note):,} characters, more than {LONGEST_NOTE:,}.", "Keep it in a file.")
    return clean(note).replace("\0", "\N{REPLACEMENT CHARACTER}").strip()


class Labels:
    """
    Tags and notes of a store's runs; every method raises StoreError where the database refuses.

    A store of an older schema, opened for reading where nothing may be written, has none.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def tags(self) -> dict[str, tuple[str, ...]]:
        """Return run -> its tags in order, of the runs that have any."""
        with self._database.read() as connection:
            return tags_of(connection, self._database)

    def add(self, run: str, tags: Iterable[str]) -> None:
        """Give a run tags; one that it has already stays. UsageError where one is no tag, or they are too many."""
        rows = [{"run_id": run, "tag": check_tag(tag)} for tag in tags]
        if rows:
            with self._database.write() as connection:
                connection.execute(self._database.insert(RUN_TAG).on_conflict_do_nothing(), rows)
                held = select(func.count()).where(RUN_TAG.c.run_id == run)
                if connection.execute(held).scalar_one() > MOST_TAGS:
                    raise UsageError(f"a run has {MOST_TAGS} tags at most.", "`recfw runs note` takes longer texts.")

    def remove(self, run: str, tags: Iterable[str]) -> None:
        """Take tags from a run; UsageError, and none is taken, where it does not have one of them."""
        wanted = list(tags)
        with self._database.write() as connection:
            known = connection.scalars(select(RUN_TAG.c.tag).where(RUN_TAG.c.run_id == run).order_by(RUN_TAG.c.tag))
            missing, has = sorted({*wanted} - {*(found := known.all())}), ", ".join(found)
            if missing:
                raise UsageError(f"run {run} has no tag '{missing[0]}'.", f"It has: {has}." if has else "It has none.")
            connection.execute(delete(RUN_TAG).where(RUN_TAG.c.run_id == run, RUN_TAG.c.tag.in_(wanted)))

    def notes(self) -> dict[str, str]:
        """Return run -> its note, of the runs that have one."""
        with self._database.read() as connection:
            return notes_of(connection, self._database)

    def set_note(self, run: str, note: str) -> None:
        """Write a note on a run, in the place of an earlier one; an empty text removes it."""
        text = check_note(note)
        with self._database.write() as connection:
            put_note(connection, run, text)


def tags_of(connection: Connection, database: Database) -> dict[str, tuple[str, ...]]:
    """Return run -> its tags in order."""
    found: dict[str, tuple[str, ...]] = {}
    if database.schema >= LABELS:
        for run, tag in connection.execute(select(RUN_TAG).order_by(RUN_TAG.c.run_id, RUN_TAG.c.tag)):
            found[run] = (*found.get(run, ()), tag)
    return found


def notes_of(connection: Connection, database: Database) -> dict[str, str]:
    """Return run -> its note."""
    if database.schema < LABELS:
        return {}
    return {row.run_id: row.note for row in connection.execute(select(RUN_NOTE))}


def put_note(connection: Connection, run: str, note: str) -> None:
    """Write a run's note; an empty one removes it."""
    connection.execute(delete(RUN_NOTE).where(RUN_NOTE.c.run_id == run))
    if note:
        connection.execute(RUN_NOTE.insert().values(run_id=run, note=note))


def remove_labels(connection: Connection, run: str) -> None:
    """Remove all that is written on a run."""
    for table in (RUN_TAG, RUN_NOTE):
        connection.execute(delete(table).where(table.c.run_id == run))
