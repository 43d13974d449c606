"""
Import speed and peak memory of the orchestration track, and SQLite beside DuckDB for its store.

    python benchmarks/bench_orchestration_import.py [--mb 1000] [--gz] [--engines]

Writes a file of generated reviews in the layout of Amazon's 2023 release and its metadata, imports them by the command
that users run, kills the import once with SIGKILL, lets it continue, and compares both stores' digests. CPU seconds are
of the importing process; MB are 10^6 bytes of text, before compression.
"""

import argparse
import gzip
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

WORDS = 200_000
"""Distinct words of the generated texts, used as unevenly as words are (Zipf, exponent 1.1)."""
COMMAND = """
import resource, sys, time
from pathlib import Path
from recfw_orchestration.data.importers.plan import plan
from recfw_orchestration.data.importers.run import import_files
class Watch:
    read = None
    def reading(self, path, done, size, lines): pass
    def step(self, name):
        self.read = self.read or time.process_time()
watch = Watch()
began = time.process_time()
import_files(plan({"amazon": [Path(sys.argv[1])]}), Path(sys.argv[2]), watch)
usage = resource.getrusage(resource.RUSAGE_SELF)
print(watch.read - began, time.process_time() - watch.read, usage.ru_maxrss / 1024)
"""


def write(folder, megabytes, packed):
    """Write metadata and reviews of about so many MB; return their exact size before compression."""
    rng = np.random.default_rng(1)
    odds = 1 / np.arange(1, WORDS + 1) ** 1.1
    edges = np.cumsum(odds) / odds.sum()
    words = [f"w{number:x}" for number in range(WORDS)]
    items = max(1000, megabytes * 60)
    ending, opener = (".jsonl.gz", gzip.open) if packed else (".jsonl", open)
    total = 0
    with opener(folder / f"meta{ending}", "wt") as file:
        for n in range(items):
            text = " ".join(words[i] for i in np.searchsorted(edges, rng.random(30)).tolist())
            row = {
                "main_category": "All Electronics", "title": f"Thing {n} {text[:40]}", "average_rating": 4.1,
                "rating_number": 9, "features": [text[40:90]], "description": [text], "price": n % 900 + 0.99,
                "store": f"Maker {n % 500}", "categories": ["Electronics", f"Kind {n % 200}"], "details": {},
                "parent_asin": f"B{n:09}", "bought_together": None, "images": [], "videos": [],
            }  # fmt: skip
            total += file.write(json.dumps(row) + "\n")
    with opener(folder / f"reviews{ending}", "wt") as file:
        while total < megabytes * 1e6:
            rows = 2_000
            lengths = rng.integers(5, 110, rows)
            spoken = [words[i] for i in np.searchsorted(edges, rng.random(int(lengths.sum()))).tolist()]
            item, user = (rng.random(rows) ** 2 * items).astype(int), rng.integers(0, items * 3, rows)
            at = 0
            for n in range(rows):
                text = " ".join(spoken[at : at + lengths[n]])
                at += lengths[n]
                row = {
                    "rating": float(rng.integers(1, 6)), "title": text[:25], "text": text, "images": [],
                    "asin": f"B{item[n]:09}", "parent_asin": f"B{item[n]:09}", "user_id": f"AG{user[n]:026}",
                    "timestamp": int(rng.integers(1_400_000_000, 1_690_000_000)) * 1000,
                    "helpful_vote": int(rng.integers(0, 4)), "verified_purchase": True,
                }  # fmt: skip
                total += file.write(json.dumps(row) + "\n")
    return total


def digest(store):
    """Return a store's digest."""
    db = sqlite3.connect(store)
    found = db.execute("SELECT value FROM meta WHERE name = 'digest'").fetchone()[0]
    db.close()
    return found


def imported(folder, store):
    """Import in a process of its own; return CPU seconds of reading and of building, and peak MB."""
    done = subprocess.run([sys.executable, "-c", COMMAND, folder, store], check=True, stdout=subprocess.PIPE, text=True)
    return tuple(map(float, done.stdout.split()))


def killed(folder, store, megabytes):
    """Kill an import while it reads, and let it continue; return how much it had read by then."""
    partial = Path(f"{store}.partial")
    with subprocess.Popen([sys.executable, "-c", COMMAND, folder, store]) as running:
        while not (partial.exists() and partial.stat().st_size > megabytes * 2e5):
            time.sleep(0.05)
        os.kill(running.pid, signal.SIGKILL)
    db = sqlite3.connect(partial)
    read = db.execute("SELECT sum(lines) FROM sources").fetchone()[0]
    db.close()
    imported(folder, store)
    return read


def engines(rows=200_000, asked=2_000):
    """Compare SQLite and DuckDB on what servers ask of a store: open, one item, the reviews of one item."""
    rng = np.random.default_rng(1)
    reviews = [(n, int(rng.integers(0, rows // 10)), f"text of review {n} " * 12) for n in range(rows)]
    keys = rng.integers(0, rows // 10, asked).tolist()
    print(f"\n{rows:,} reviews of {rows // 10:,} items; {asked:,} look-ups of one item's reviews, CPU")
    with tempfile.TemporaryDirectory() as folder:
        for name, made in (("sqlite", sqlite3.connect), ("duckdb", _duckdb)):
            path = Path(folder) / name
            began = time.process_time()
            db = made(path)
            db.execute("CREATE TABLE reviews (no INTEGER PRIMARY KEY, item INTEGER, text TEXT)")
            _fill(name, db, reviews)
            db.execute("CREATE INDEX by_item ON reviews (item)")
            db.commit()
            db.close()
            written = time.process_time() - began
            began = time.process_time()
            db = made(path)
            db.execute("SELECT text FROM reviews WHERE item = ?", (keys[0],)).fetchall()
            opened = time.process_time() - began
            began = time.process_time()
            for key in keys:
                db.execute("SELECT text FROM reviews WHERE item = ? ORDER BY no", (key,)).fetchall()
            each = (time.process_time() - began) / asked
            db.close()
            size = path.stat().st_size / 1e6
            took = f"open {1000 * opened:7.2f} ms  look-up {1000 * each:7.3f} ms"
            print(f"{name:8} write {written:6.2f} s  {took}  {size:6.1f} MB")


def _duckdb(path):
    import duckdb

    db = duckdb.connect(str(path))
    db.execute("SET threads = 1")
    return db


def _fill(name, db, reviews):
    if name == "sqlite":
        db.executemany("INSERT INTO reviews VALUES (?, ?, ?)", reviews)
        return
    import pandas as pd

    # Row-wise insertion is what DuckDB is not made for; a frame is its best.
    frame = pd.DataFrame(reviews, columns=["no", "item", "text"])
    db.register("frame", frame)
    db.execute("INSERT INTO reviews SELECT * FROM frame")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--mb", type=int, default=1000)
    parser.add_argument("--gz", action="store_true")
    parser.add_argument("--engines", action="store_true", help="compare SQLite and DuckDB instead")
    parser.add_argument("--dir", default=None, help="where to write; needs about six times the size")
    given = parser.parse_args()
    if given.engines:
        engines()
        return
    with tempfile.TemporaryDirectory(dir=given.dir) as scratch:
        folder = Path(scratch) / "data"
        folder.mkdir()
        size = write(folder, given.mb, given.gz) / 1e6
        whole, twice = Path(scratch) / "whole.db", Path(scratch) / "twice.db"
        reading, building, peak = imported(folder, whole)
        packed = " (gzip)" if given.gz else ""
        print(f"{size:.0f} MB{packed}: read {size / reading:.1f} MB/s, build {size / building:.1f} MB/s,", end=" ")
        print(f"in all {size / (reading + building):.1f} MB/s CPU ({reading + building:.0f} s), peak {peak:.0f} MB")
        print(f"store {whole.stat().st_size / 1e6:.0f} MB")
        read = killed(folder, twice, given.mb)
        same = "same digest" if digest(whole) == digest(twice) else "DIGESTS DIFFER"
        print(f"killed after {read:,} lines, continued: {same}")


if __name__ == "__main__":
    main()
