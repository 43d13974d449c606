"""`recfw books fetch`: what it saves, how it stops, and that it goes on where it stopped."""

import errno
import functools
import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from recfw.cli.main import invoke
from recfw.testing.project import Project
from recfw.testing.project import project as typed_commands
from recfw_books.cli import fetch as command
from recfw_books.wikidata import snapshot as module
from recfw_books.wikidata.reading import read_rows
from recfw_books.wikidata.snapshot import read_journal

from .conftest import Fault, Service, dropped, html, refused, short, status, truncated

project = typed_commands  # the fixture: an empty folder in which to type commands

Fetch = Callable[..., tuple[int, str, str]]


@pytest.fixture
def fetch(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fetch:
    """Give what runs `recfw books fetch --out snap` for three genres, in an empty folder and without long waits."""
    monkeypatch.chdir(tmp_path)
    Path("few").mkdir()
    Path("few/genres.tsv").write_text(
        "genre\tlabel\tgenres\treason\nQ24925\t\tScience Fiction\t\nQ132311\t\tFantasy\t\nQ208505\t\tCrime\t\n"
    )
    monkeypatch.setattr(command, "Patience", functools.partial(command.Patience, first=0.01, longest=5.0))

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        given = ["--rules", "few", "--endpoint", service.url, "--delay", "0", *words]
        code = invoke(["books", "fetch", "--out", "snap", *given])
        return (code, *capsys.readouterr())

    return run


def digest() -> str:
    """Return the hash of what the snapshot says."""
    return read_rows(Path("snap")).digest


def test_it_saves_every_response_as_it_came(fetch: Fetch, service: Service) -> None:
    """Each file holds the bytes of the service's answer to the query, and the journal their hashes."""
    assert fetch("--page-size", "5")[0] == 0
    snapshot = read_journal(Path("snap"))
    saved = [snapshot.bytes_of(entry) for entry in snapshot.entries]
    assert saved == [service.answer(query) for query in service.queries]
    assert snapshot.finished


def test_it_asks_one_thing_at_a_time(fetch: Fetch, service: Service) -> None:
    """Two requests are never under way together."""
    fetch("--page-size", "5")
    assert service.most_busy == 1


def test_every_work_comes_once_a_genre(fetch: Fetch, service: Service) -> None:
    """Pages neither overlap nor leave a gap, whatever their size."""
    fetch("--page-size", "7")
    entries = [entry for entry in read_journal(Path("snap")).entries if entry.part == "Fantasy"]
    assert [entry.works for entry in entries] == [7, 7, 2]
    rows = read_rows(Path("snap"))
    assert {line.count(b'"item":') for line in rows.lines} == {0, 1}
    assert len({json.loads(line)["item"]["value"] for line in rows.lines if b'"item":' in line}) == len(service.works)


def test_the_page_size_changes_nothing(fetch: Fetch) -> None:
    """Pages of 3 and of 1,000 works say the same."""
    fetch("--page-size", "3")
    small = digest()
    Path("snap").rename("other")
    fetch()
    assert digest() == small


FAULTS: Sequence[Fault | None] = [
    status(429, Retry_After="0"), None, truncated, dropped, None, short, html, None, status(500), status(503), None,
]  # fmt: skip


def test_it_gets_through(fetch: Fetch, service: Service) -> None:
    """Too many requests, cut-off JSON, dropped connections, pages for people and errors leave no trace."""
    fetch("--page-size", "5")
    clean = digest()
    Path("snap").rename("other")
    service.faults = [*FAULTS]
    assert fetch("--page-size", "5")[0] == 0
    assert (digest(), service.faults) == (clean, [])


@pytest.mark.parametrize(
    ("before", "fault"),
    [(0, status(503)), (3, truncated), (5, dropped), (12, html), (13, refused), (14, status(429, Retry_After="9999"))],
)
def test_it_stops_so_that_it_can_go_on(fetch: Fetch, service: Service, fault: Fault, before: int) -> None:
    """After the last try it exits with 6 and the command that goes on; that asks only for what is missing."""
    fetch("--page-size", "5")
    whole, all_queries = digest(), [*service.queries]
    Path("snap").rename("other")
    service.queries.clear()
    service.faults = [*[None] * before, *[fault] * 3]
    code, out, errors = fetch("--page-size", "5", "--tries", "3")
    kept = {0: "No response is", 1: "1 response is"}.get(before, f"{before} responses are")
    typed = f"--out snap --endpoint {service.url} --page-size 5 --delay 0.0 --tries 3 --rules few"
    words = f"{kept} kept; go on with: recfw books fetch --resume {typed}\n"
    assert (code, out, errors[-len(words) :]) == (6, "", words)
    service.faults.clear()
    service.queries.clear()
    assert fetch("--page-size", "5", "--resume")[0] == 0
    assert (digest(), service.queries) == (whole, all_queries[before:])


def test_it_goes_on_with_other_pages(fetch: Fetch, service: Service) -> None:
    """A smaller page size may help a service that takes too long; the snapshot says the same in the end."""
    fetch()
    whole = digest()
    Path("snap").rename("other")
    service.faults = [None, None, status(504)]
    fetch("--page-size", "6", "--tries", "1")
    assert fetch("--page-size", "2", "--resume")[0] == 0
    assert digest() == whole


def test_an_unfinished_snapshot_is_not_built(
    fetch: Fetch, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    """`recfw books build` says how to finish it."""
    service.faults = [None, None, status(400)]
    fetch()
    capsys.readouterr()
    code = invoke(["books", "build", "--snapshot", "snap", "--out", "made"])
    command = "recfw books fetch --resume --out snap"
    words = f"snap is not finished: 2 responses are there. Go on with the options that began it: {command}"
    assert (code, capsys.readouterr().err, Path("made").exists()) == (4, f"Error: {words}\n", False)


def test_a_killed_fetch_counts_no_piece(fetch: Fetch, service: Service) -> None:
    """Half a response, half a line of the journal and a response without a line are fetched again."""
    fetch("--page-size", "5")
    whole = digest()
    journal = Path("snap/journal.jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:8]) + lines[8][:40])
    Path("snap/responses/works-drama-0001.json.part").write_bytes(b'{"head":')
    assert fetch("--page-size", "5", "--resume")[0] == 0
    assert (digest(), list(Path("snap/responses").glob("*.part"))) == (whole, [])
    assert journal.read_bytes().count(b"\n") == len(lines)


def test_size_ends_a_trial_early(fetch: Fetch) -> None:
    """No more works are asked for once there are enough, and the snapshot is finished."""
    assert fetch("--page-size", "4", "--size", "6")[0] == 0
    snapshot = read_journal(Path("snap"))
    assert (sum(entry.works for entry in snapshot.entries), snapshot.finished) == (8, True)


def test_a_finished_snapshot_asks_for_nothing(fetch: Fetch, service: Service) -> None:
    """Going on with it is no mistake, and no request."""
    fetch()
    service.queries.clear()
    assert (fetch("--resume")[0], service.queries) == (0, [])


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 2, "snap exists already. Go on with it by --resume, or choose another --out."),
        (("--resume", "--size", "3"), 2, "snap was asked for something else; these differ: --size (0 then, 3 now)."),
        (("--resume", "--rules", "rules"), 2, "snap was asked for something else; these differ: the mapped genres."),
        (("--resume", "--endpoint", "ftp://a"), 2, "'ftp://a' is no address of a query service."),
        (("--resume", "--delay", "nan"), 2, "--delay must be a number of seconds."),
        (("--resume", "--out", "nothing"), 2, "nothing is no snapshot to go on with."),
        (("--out", "rules"), 2, "rules exists already. Choose another --out."),
        (("--out", "rules/genres.tsv/deep"), 4, "rules/genres.tsv/deep: cannot be written (Not a directory)."),
    ],
)
def test_a_mistake_is_told_in_one_line(fetch: Fetch, words: Sequence[str], code: int, told: str) -> None:
    """A folder that exists, another question than before, an address that is none."""
    fetch()
    Path("rules").mkdir()
    Path("rules/genres.tsv").write_text("genre\tlabel\tgenres\treason\nQ24925\tsf\tScience Fiction\t\n")
    found = fetch(*words)
    assert (found[0], found[2].count("\n")) == (code, 1)
    assert found[2].startswith(f"Error: {told}")


def test_a_changed_query_is_not_gone_on_with(fetch: Fetch) -> None:
    """A snapshot that another version of the plugin began stays one of that version."""
    fetch()
    settings = json.loads(Path("snap/snapshot.json").read_text())
    settings["queries"]["works"] = "0" * 64
    Path("snap/snapshot.json").write_text(json.dumps(settings))
    assert "these differ: the query works." in fetch("--resume")[2]


def test_a_damaged_response_is_named(fetch: Fetch, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither going on nor building takes a file that is not what was saved."""
    fetch()
    path = Path("snap/responses/works-fantasy-0001.json")
    path.write_bytes(path.read_bytes()[:-1] + b" ")
    with pytest.raises(Exception, match=r"works-fantasy-0001.json: not the response that the journal names"):
        read_rows(Path("snap"))


def test_two_fetches_do_not_share_a_folder(fetch: Fetch, service: Service) -> None:
    """The second is refused while the first holds the journal."""
    service.faults = [status(400)]
    fetch()
    settings = read_journal(Path("snap")).settings
    with module.opened(Path("snap"), settings, resume=True):
        found = fetch("--resume")
    assert found[0::2] == (4, "Error: snap: another fetch writes this snapshot. Wait for it to end.\n")


@pytest.mark.parametrize("place", [2, 3])
def test_a_full_disk_is_told_and_nothing_half_counts(fetch: Fetch, monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    """Whether a response or its line finds no room: exit 4, the command that goes on, and the rest is whole."""
    fetch("--page-size", "5")
    whole = digest()
    Path("snap").rename("other")
    real, calls = os.fsync, []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 10 + place:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    code, _, errors = fetch("--page-size", "5")
    told = errors.splitlines()[-1]
    assert (code, "cannot be written (No space left on device). Make room" in told) == (4, True)
    assert "5 responses are kept; go on with: recfw books fetch --resume --out snap" in told
    assert list(Path("snap/responses").glob("*.part")) == []
    assert fetch("--page-size", "5", "--resume")[0] == 0
    assert digest() == whole


def test_ctrl_c_stops_so_that_it_can_go_on(project: Project, service: Service) -> None:
    """An interrupt during a pause exits with 130 and the command that goes on; so far all is whole."""
    words = ["books", "fetch", "--out", "snap", "--endpoint", service.url, "--delay", "30"]
    process = project.start(*words)
    journal = project.folder / "snap" / "journal.jsonl"
    deadline = time.monotonic() + 30
    while not (journal.exists() and journal.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    typed = f"--out snap --endpoint {service.url} --delay 30.0"
    told = f"Interrupted. 1 response is kept; go on with: recfw books fetch --resume {typed}"
    assert (process.returncode, errors.splitlines()[-1]) == (130, told)
    assert len(read_journal(project.folder / "snap").entries) == 1


def test_httpx_is_asked_for_in_words(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the command names it, before any folder is made."""
    monkeypatch.setattr(command, "find_spec", lambda _: None)
    code, _, errors = fetch()
    assert (code, "Install the extra 'recfw-books[wikidata]'." in errors, Path("snap").exists()) == (2, True, False)


def test_the_snapshot_has_two_names(fetch: Fetch, service: Service) -> None:
    """`recfw books snapshot` is the same command."""
    assert invoke(["books", "snapshot", "--out", "named", "--endpoint", service.url, "--delay", "0"]) == 0
    assert read_journal(Path("named")).finished
