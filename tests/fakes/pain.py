"""A folder with a store in which commands are typed, and what they left: asked of the database itself."""

import json
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from attrs import frozen

from recfw.serialize import trace_lines
from recfw.testing.project import Project, Typed, hear_interrupts


@frozen
class Pain:
    """
    A folder with a store, in which commands are typed.

    Args:
        folder: Where commands run.
        notes: Where the painful components leave notes.
        typed: Types a command in this process.
        project: Starts a command in a process of its own.
        started: The processes that were started; what is left of them is killed in the end.
    """

    folder: Path
    notes: Path
    typed: Callable[..., Typed]
    project: Project
    started: list["subprocess.Popen[bytes]"]

    def run(self, agent: str, *words: str, track: str = "fake-dialogue") -> Typed:
        """Type `recfw run` with one agent of a fake track, a few episodes at a time."""
        return self.typed("run", "--track", track, "--agent", agent, "--concurrency", "4", *words)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Ask the database."""
        with closing(sqlite3.connect(self.folder / "runs.db")) as connection:
            return connection.execute(query).fetchall()

    def change(self, statement: str) -> None:
        """Change the database behind recfw's back."""
        with closing(sqlite3.connect(self.folder / "runs.db")) as connection, connection:
            connection.execute(statement)

    def endings(self, task: str = "") -> Counter[tuple[str, str]]:
        """Return how many attempts have which (status, stop), of one task or of all."""
        where = f"WHERE task_id = '{task}'" if task else ""
        return Counter(self.ask(f"SELECT status, stop FROM trial {where}"))

    def noted(self, what: str) -> int:
        """Return how many notes of one kind there are."""
        return len(list(self.notes.glob(f"{what}-*")))

    def figures(self, run: str = "latest") -> dict[str, Any]:
        """Return the figures of a run's only cell."""
        (cell,) = self.report(run)["runs"][0]["cells"].values()
        return dict(cell)

    def report(self, *runs: str) -> dict[str, Any]:
        """Return what `recfw report --format json` has as figures."""
        return dict(json.loads(self.typed("report", *runs, "--format", "json").out)["figures"])

    def events(self, task: str) -> list[dict[str, Any]]:
        """Return the events of a task's only attempt."""
        ((data,),) = self.ask(f"SELECT data FROM trace JOIN trial t ON t.id = trial_id WHERE task_id = '{task}'")
        return [json.loads(line) for line in trace_lines(data, task)]

    def start(self, *words: str) -> "subprocess.Popen[bytes]":
        """Start a command in a process of its own; what it prints goes into the files ``out`` and ``err``."""
        with (self.folder / "out").open("wb") as out, (self.folder / "err").open("wb") as err:
            process = subprocess.Popen(
                self.project.command(*words), cwd=self.folder, env=self.project.env(), stdin=subprocess.DEVNULL,
                stdout=out, stderr=err, preexec_fn=hear_interrupts,
            )  # fmt: skip
        self.started.append(process)
        return process

    def printed(self, where: str) -> str:
        """Return what the started command has printed so far into ``out`` or ``err``."""
        return (self.folder / where).read_text(errors="replace")

    def stored(self) -> int:
        """Return how many trials are completed so far; 0 where there is no table yet."""
        try:
            return int(self.ask("SELECT count(*) FROM trial WHERE status = 'completed'")[0][0])
        except sqlite3.OperationalError:
            return 0
