"""
What a killed run is checked by. None of it is recfw's code: the database is asked directly, the journal and the ledgers
are read as JSON lines, processes are found in /proc.
"""

import hashlib
import json
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

TRIALS = """
    SELECT t.cell, t.task_id, t.trial, t.attempt, t.status, t.stop, t.seed, t.events, t.started, x.data
    FROM trial t LEFT JOIN trace x ON x.trial_id = t.id
"""


def marked(mark):
    """Return the ids of the processes that have this text in their environment, zombies left out."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def wait_for_none(mark, seconds):
    """Wait until no process has the mark; return (those that still have, seconds waited)."""
    started = time.monotonic()
    while (left := marked(mark)) and time.monotonic() - started < seconds:
        time.sleep(0.02)
    return left, time.monotonic() - started


def read(place, query):
    """Return the rows of a query; none where there is no database or table yet. An SQLite file is read as a copy."""
    if "://" in place:
        import psycopg

        with psycopg.connect(place) as connection:
            try:
                return connection.execute(query).fetchall()
            except psycopg.errors.UndefinedTable:
                return []
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        for suffix in ("", "-wal"):
            if Path(place + suffix).exists():
                shutil.copy(place + suffix, Path(folder) / f"copy{suffix}")
        if not (Path(folder) / "copy").exists():
            return []
        with closing(sqlite3.connect(Path(folder) / "copy")) as connection:
            try:
                sound = connection.execute("PRAGMA integrity_check").fetchall()
                broken = connection.execute("PRAGMA foreign_key_check").fetchall()
                if sound != [("ok",)] or broken:
                    raise AssertionError(f"the file is damaged: {sound[:3]} {broken[:3]}")
                return connection.execute(query).fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return []
                raise


def lines_of(path):
    """Return the whole lines of a file, a torn last one left out; none where there is no file."""
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def json_lines(path):
    """Return the values of a file of JSON lines."""
    return [json.loads(line) for line in lines_of(path)]


def ended_in_journal(folder):
    """Return the attempts (cell, task, trial, attempt) whose journal says that the episode ended by itself."""
    found = set()
    for path in folder.glob("*.jsonl"):
        lines = json_lines(path)
        if len(lines) > 1 and lines[-1].get("kind") == "end" and lines[-1]["stop"] != "infrastructure":
            found.add(tuple(lines[0][name] for name in ("cell", "task", "trial", "attempt")))
    return found


class Witness:
    """
    What has been seen of one run, and what must therefore still be so at the next look.

    Args:
        place: The store: a path or a PostgreSQL address.
        journal: The folder of all runs' journals.
        told: The observer's ledger.
        played: The agents' ledger.
    """

    def __init__(self, place, journal, told, played):
        self.place, self.journal, self.told, self.played = place, journal, told, played
        self.seen, self.frozen, self.owed, self.starts, self.finished = {}, {}, set(), 0, 0

    def run_id(self):
        """Return the id of the only run, or None."""
        rows = read(self.place, "SELECT id FROM run")
        assert len(rows) <= 1, f"{len(rows)} runs in the store"
        return rows[0][0] if rows else None

    def told_trials(self):
        """Return how many attempts the observer was told of."""
        return sum(line["hook"] == "trial" for line in json_lines(self.told))

    def look(self):
        """Return what is wrong now, one sentence each; remember what is there."""
        rows, faults = {}, []
        for *key, status, stop, seed, events, started, trace in read(self.place, TRIALS):
            digest = hashlib.sha256(trace).hexdigest() if trace is not None else "none"
            rows[tuple(key)] = ((status, stop, seed, events, started, digest), seed, status)
            faults += [f"{key}: stored without its trace"] if trace is None else []
        for key, fact in self.seen.items():
            now = rows.get(key)
            if now is None or now[0] != fact:
                faults.append(f"{key}: {'lost' if now is None else 'altered'} (was {fact}, is {now and now[0]})")
        completed = Counter(key[:3] for key, (_, _, status) in rows.items() if status == "completed")
        faults += [f"{key}: completed {n} times" for key, n in completed.items() if n > 1]
        lines = json_lines(self.told)
        faults += self._compare_told(rows, lines)
        plays = Counter(line.split()[0] for line in lines_of(self.played))
        faults += [
            f"{key}: played again though it was finished"
            for key, (seed, count) in self.frozen.items()
            if plays[str(seed).encode()] != count
        ]
        starts = sum(line["hook"] == "started" for line in lines)
        if starts > self.starts:
            lost = [key for key in self.owed if key[:3] not in completed]
            faults += [f"{key}: had ended by itself, and was not kept" for key in lost]
            self.owed = set()
        self.starts, self.finished = starts, len(completed)
        self.seen = {key: fact for key, (fact, _, _) in rows.items()}
        done = {key[:3]: seed for key, (_, seed, status) in rows.items() if status == "completed"}
        self.frozen = {key: (seed, plays[str(seed).encode()]) for key, seed in done.items()}
        run = self.run_id()
        if run:
            self.owed |= {key for key in ended_in_journal(self.journal / run) if key[:3] not in done}
        return faults

    @staticmethod
    def _compare_told(rows, lines):
        faults, told = [], Counter()
        for line in (line for line in lines if line["hook"] == "trial"):
            key = tuple(line["key"])
            told[key] += 1
            fact = rows.get(key)
            if fact is None or (fact[2], fact[0][-1]) != (line["status"], line["trace"]):
                faults.append(f"{key}: told as stored, and is {fact and fact[0]}")
        return faults + [f"{key}: told {n} times" for key, n in told.items() if n > 1]

    def look_finished(self, planned):
        """Return what is wrong with a run that says it is finished."""
        faults, run = self.look(), self.run_id()
        statuses = [status for (status,) in read(self.place, "SELECT status FROM run")]
        counts = Counter(status for status, *_ in self.seen.values())
        faults += [f"the run's status is {statuses}"] if statuses != ["completed"] else []
        faults += [f"{counts['completed']} of {planned} trials are completed"] if counts["completed"] != planned else []
        left = [item.name for item in (self.journal / str(run)).glob("*")]
        return faults + ([f"the journal still holds {left[:3]}"] if left else [])
