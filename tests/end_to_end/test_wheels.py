"""Installed wheels, outside the checkout: the main job, interruption, resumption, replay."""

import json
import os
import signal
import sqlite3
import subprocess
import time
import zipfile
from contextlib import closing

import pytest

pytestmark = pytest.mark.timeout(600)
ON_BOOKS = pytest.mark.xdist_group("books")  # one process makes that environment, another one the rest
ON_CORE = pytest.mark.xdist_group("core")


def figures(place, *words):
    """Return the bytes of a report's figures."""
    done = place.run("recfw", "report", *words, "--format", "json")
    assert 0 == done.returncode, done.stderr
    return json.dumps(json.loads(done.stdout)["figures"], sort_keys=True)


def asked(place, query, *words):
    """Return the first row of what the database itself answers."""
    with closing(sqlite3.connect(f"file:{place.folder / '.recfw' / 'runs.db'}?mode=ro", uri=True)) as database:
        return database.execute(query, words).fetchone()


def newest(place):
    """Return the newest run's id, or nothing while there is none."""
    try:
        return (asked(place, "SELECT id FROM run ORDER BY created DESC, id DESC LIMIT 1") or ("",))[0]
    except sqlite3.OperationalError:  # no database yet, or no table in it
        return ""


def stored(place):
    """Return how many trials of the newest run are stored."""
    return asked(place, "SELECT count(*) FROM trial WHERE run_id = ?", newest(place))[0]


def wait_until(true, process):
    """Look a hundred times a second until something is true while a process goes on."""
    while not true():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


@ON_CORE
def test_core_works_without_a_plugin(core_alone):
    """recfw alone shows help, its own components and that nothing is stored."""
    assert "Commands" in core_alone.run("recfw", "--help").stdout
    assert "scripted" in core_alone.run("recfw", "plugins", "list").stdout
    assert "No runs are stored" in core_alone.run("recfw", "runs", "list").stdout


@ON_CORE
def test_a_missing_plugin_is_named_with_its_distribution(core_alone):
    """Asking for a plugin that is not installed says which distribution has it and how to install it; exit 3."""
    for plugin in ("books", "orchestration", "situated"):
        done = core_alone.run("recfw", "run", "--plugin", plugin)
        assert 3 == done.returncode
        assert f"recfw-{plugin}" in done.stderr
        assert "pip install" in done.stderr


def test_wheels_hold_only_what_belongs(wheels):
    """A wheel holds its own package with registry and data, and no tests or leftovers."""
    core = zipfile.ZipFile(wheels["core"])
    assert b"recfw-books" in core.read("recfw/registry.yaml")
    for name, path in wheels.items():
        tops = {entry.split("/")[0] for entry in zipfile.ZipFile(path).namelist()}
        package = "recfw" if name == "core" else f"recfw_{name}"
        assert tops <= {package, *(top for top in tops if top.endswith(".dist-info"))}
    assert any(entry.endswith("catalog.jsonl.gz") for entry in zipfile.ZipFile(wheels["books"]).namelist())


@ON_BOOKS
def test_the_main_job(with_books):
    """All 450 tasks with three agents run, are reported and replay without a difference."""
    started = time.monotonic()
    done = with_books.run("recfw", "run", "--plugin", "books")
    assert 0 == done.returncode, done.stderr
    assert time.monotonic() - started < 60
    assert "eliminating" in done.stdout
    replayed = with_books.run("recfw", "replay")
    assert 0 == replayed.returncode, replayed.stdout
    assert "1,350 trials replayed, no difference" in replayed.stdout


@ON_BOOKS
def test_the_catalog_validates(with_books):
    """The embedded catalog and tasks are reachable from the wheel and valid."""
    done = with_books.run("recfw", "books", "validate")
    assert 0 == done.returncode, done.stdout + done.stderr


@ON_BOOKS
def test_kill_and_resume(with_books):
    """kill -9 in the middle, then --resume: nothing lost, nothing doubled, figures equal to an uninterrupted run's."""
    words = ("run", "--plugin", "books", "--agent", "popularity", "--agent", "no-ask", "--tasks", "panel=yes")
    assert 0 == with_books.run("recfw", *words).returncode
    whole = figures(with_books, newest(with_books))
    before = newest(with_books)
    process = with_books.start("recfw", *words)
    wait_until(lambda: newest(with_books) != before and stored(with_books) >= 40, process)
    process.kill()
    process.wait()
    kept, cut = stored(with_books), newest(with_books)
    done = with_books.run("recfw", "run", "--resume", cut)
    assert 0 == done.returncode, done.stderr
    assert 40 <= kept < 306
    assert whole == figures(with_books, cut)
    rows = "SELECT count(*), count(DISTINCT cell || task_id || trial) FROM trial WHERE status='completed' AND run_id=?"
    assert (306, 306) == asked(with_books, rows, cut)
    assert "Nothing to do" in with_books.run("recfw", "run", "--resume", cut).stdout


def test_the_orchestration_track(place):
    """From wheels: the world is built, servers are opened, gold is right on every task, and replay agrees."""
    there = place("orchestration")
    done = there.run("recfw", "run", "--plugin", "orchestration", "--tasks", "domain=places")
    assert 0 == done.returncode, done.stderr
    report = json.loads(there.run("recfw", "report", "--analysis", "summary", "--format", "json").stdout)["figures"]
    hits = {name: cell["figures"]["hit"]["value"] for name, cell in report["runs"][0]["cells"].items()}
    assert 1.0 == hits["orchestration-gold"] > max(hits["orchestration-router"], hits["orchestration-random"])
    replayed = there.run("recfw", "replay")
    assert 0 == replayed.returncode, replayed.stdout
    assert "32" in there.run("recfw", "orchestration", "tools").stdout


def test_the_situated_track(place):
    """From wheels: both stores are served and left, episodes are played and replayed, no process stays behind."""
    there = place("situated")
    tasks = ("--tasks", "?01.1")
    done = there.run("recfw", "run", "--plugin", "situated", *tasks)
    assert 0 == done.returncode, done.stderr
    replayed = there.run("recfw", "replay")
    assert 0 == replayed.returncode, replayed.stdout
    left = subprocess.run(["pgrep", "-f", str(there.environment)], capture_output=True, text=True, check=False)
    assert "" == left.stdout


@ON_BOOKS
def test_interrupt(with_books):
    """Ctrl-C stops within two seconds with status 130, partial figures, and the command that resumes."""
    before = newest(with_books)
    process = with_books.start("recfw", "run", "--plugin", "books", "--trials", "20")
    wait_until(lambda: newest(with_books) != before and stored(with_books) >= 200, process)
    os.kill(process.pid, signal.SIGINT)
    sent = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - sent < 2
    assert 130 == process.returncode
    assert "pass^1" in out
    assert "recfw run --resume" in err
