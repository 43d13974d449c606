"""The journal: every event is on disk at once, and what a dead process leaves can be read and kept."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from recfw.errors import StoreError
from recfw.model.reply import Reply
from recfw.model.run import Attachment, Status, Trial, TrialKey
from recfw.model.trace import EndEvent, Event, ReplyEvent, Trace, WorldEvent
from recfw.protocols import Recorder
from recfw.serialize import event_line, line_checksums, pack_trace, unpack_trace
from recfw.store.journal import Journal, JournalRecorder
from recfw.store.repository import Store

MakeTrial = Callable[..., Trial]
LargestFile = Callable[[int], AbstractContextManager[None]]
KEY = TrialKey("agent=x,interface=y", "ü/1", 2)
EVENTS: tuple[Event, ...] = (
    ReplyEvent("agent", 1, Reply("two\nlines \ud800")),
    WorldEvent("big", {"text": "x" * 100_000}),
    EndEvent("done"),
)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """The journal of a run that has none yet."""
    return Journal(tmp_path / "journal" / "r1")


@pytest.fixture
def recorder(journal: Journal) -> Iterator[JournalRecorder]:
    """A recorder of this journal, closed when the test is over."""
    made = journal.recorder()
    yield made
    made.close()


def record(journal: Journal, key: TrialKey = KEY, attempt: int = 1, events: tuple[Event, ...] = EVENTS) -> Path:
    """Record an attempt and leave its file behind, as a dead process would; return the file."""
    before = set(journal.folder.glob("*.jsonl"))
    recorder = journal.recorder()
    recorder.begin(key, attempt)
    for event in events:
        recorder.append(event)
    recorder.close()
    (path,) = set(journal.folder.glob("*.jsonl")) - before
    return path


class TestRecorder:
    """An episode's events, as they happen."""

    def test_packed_is_what_was_recorded(self, recorder: JournalRecorder) -> None:
        """The packed trace holds the recorded events, with text made clean at the door."""
        recorder.begin(KEY, 1)
        for event in EVENTS:
            recorder.append(event)
        events = (ReplyEvent("agent", 1, Reply("two\nlines ?")), *EVENTS[1:])
        assert unpack_trace(recorder.packed()) == Trace(events)
        assert recorder.events == 3

    def test_packed_is_of_the_very_lines(self, recorder: JournalRecorder) -> None:
        """The packed trace is byte for byte that of the events' lines."""
        recorder.begin(KEY, 1)
        for event in EVENTS:
            recorder.append(event)
        assert recorder.packed() == pack_trace(map(event_line, EVENTS))
        assert recorder.checksums == line_checksums(recorder.packed())

    def test_is_a_recorder(self, recorder: JournalRecorder) -> None:
        """It has the shape of the Recorder protocol."""
        plain: Recorder = recorder
        plain.begin(KEY, 1)

    def test_no_events(self, recorder: JournalRecorder) -> None:
        """An episode that died before its first event has an empty trace."""
        recorder.begin(KEY, 1)
        assert unpack_trace(recorder.packed()) == Trace()

    def test_event_is_on_disk_at_once(self, journal: Journal, recorder: JournalRecorder) -> None:
        """Another reader sees an event as soon as append returns."""
        recorder.begin(KEY, 1)
        recorder.append(EVENTS[0])
        assert [left.lines for left in journal.leftovers()] == [(event_line(EVENTS[0]),)]

    def test_attachments(self, recorder: JournalRecorder) -> None:
        """Payloads are named by digest, kept once, and given back in order."""
        recorder.begin(KEY, 1)
        shas = [recorder.attach(data, "image/png") for data in (b"b\n\x00", b"a", b"b\n\x00")]
        assert shas[0] == shas[2]
        expected = (Attachment(shas[0], "image/png", b"b\n\x00"), Attachment(shas[1], "image/png", b"a"))
        assert recorder.attachments == expected

    def test_one_recorder_may_record_on(self, recorder: JournalRecorder) -> None:
        """A recorder that begins anew has nothing of the episode before."""
        recorder.begin(KEY, 1)
        recorder.append(EVENTS[0])
        recorder.attach(b"a", "image/png")
        recorder.begin(KEY, 2)
        recorder.append(EVENTS[2])
        assert (unpack_trace(recorder.packed()), recorder.events, recorder.attachments) == (Trace(EVENTS[2:]), 1, ())

    def test_never_overwrites(self, journal: Journal) -> None:
        """An attempt that left a journal is not begun over it."""
        path = record(journal)
        before = path.read_bytes()
        with pytest.raises(StoreError, match="has a journal already"):
            journal.recorder().begin(KEY, 1)
        assert path.read_bytes() == before

    def test_nothing_before_the_beginning(self, journal: Journal) -> None:
        """An event without an attempt is refused."""
        with pytest.raises(StoreError, match="no attempt has begun"):
            journal.recorder().append(EVENTS[0])

    def test_keys_that_look_alike_have_files_of_their_own(self, journal: Journal) -> None:
        """Keys that differ only where a file name cannot show it do not meet."""
        keys = [TrialKey("a/b", "c", 0), TrialKey("a", "b/c", 0), TrialKey("a", "b_c", 0), TrialKey("x" * 300, "c", 0)]
        assert len({record(journal, key) for key in keys}) == 4

    def test_disk_full(self, recorder: JournalRecorder, largest_file: LargestFile) -> None:
        """An event that the disk has no room for is one clear error."""
        recorder.begin(KEY, 1)
        with largest_file(50_000), pytest.raises(StoreError, match="the disk is full") as caught:
            recorder.append(EVENTS[1])
        assert caught.value.hint == "Free some space."

    def test_disk_full_at_a_payload(self, recorder: JournalRecorder, largest_file: LargestFile) -> None:
        """A payload that the disk has no room for is one clear error."""
        recorder.begin(KEY, 1)
        with largest_file(50_000), pytest.raises(StoreError, match="the disk is full"):
            recorder.attach(b"x" * 100_000, "image/png")

    def test_read_only_folder(self, unprivileged: Path) -> None:
        """A folder that takes no files is one clear error."""
        unprivileged.chmod(0o555)
        with pytest.raises(StoreError, match="cannot be written") as caught:
            Journal(unprivileged / "journal" / "r1").recorder().begin(KEY, 1)
        assert "--store" in caught.value.hint


class TestLeftovers:
    """What a dead process leaves."""

    def test_discarded_leaves_nothing(self, journal: Journal, recorder: JournalRecorder) -> None:
        """After discard neither file nor payloads are left."""
        recorder.begin(KEY, 1)
        recorder.attach(b"a", "image/png")
        recorder.close()
        journal.discard(KEY, 1)
        journal.discard(KEY, 1)
        assert list(journal.folder.iterdir()) == []

    def test_killed_while_it_discards(
        self, journal: Journal, recorder: JournalRecorder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whatever step of discarding comes last to pass, clearing finds and drops what it left."""
        recorder.begin(KEY, 1)
        recorder.attach(b"a", "image/png")
        recorder.close()
        for module, function in ((shutil, "rmtree"), (Path, "unlink")):
            with monkeypatch.context() as patch:
                patch.setattr(module, function, lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
                with pytest.raises(KeyboardInterrupt):
                    journal.discard(KEY, 1)
        journal.clear()
        assert list(journal.folder.iterdir()) == []

    def test_no_journal(self, journal: Journal) -> None:
        """A run that never began an episode has no leftovers."""
        assert list(journal.leftovers()) == []

    def test_leftover_tells_all(self, journal: Journal, recorder: JournalRecorder) -> None:
        """A leftover has key, attempt, events, payloads and times."""
        recorder.begin(KEY, 3)
        recorder.append(EVENTS[0])
        sha = recorder.attach(b"a", "image/png")
        (left,) = journal.leftovers()
        assert (left.key, left.attempt) == (KEY, 3)
        assert left.lines == (event_line(EVENTS[0]),)
        assert left.attachments == (Attachment(sha, "image/png", b"a"),)
        assert left.started > 0
        assert 0 <= left.seconds < 60

    @pytest.mark.parametrize("cut", [1, 5, 60])
    def test_torn_last_line(self, journal: Journal, cut: int) -> None:
        """A last line that is not whole is left out, and the ones before are kept."""
        small = (EVENTS[0], WorldEvent("w", {"text": "x" * 80}))
        path = record(journal, events=small)
        path.write_bytes(path.read_bytes()[:-cut])
        (left,) = journal.leftovers()
        assert left.lines == tuple(map(event_line, small))[: 2 if cut == 1 else 1]

    @pytest.mark.parametrize("data", [b"", b'{"recfw_jour', b"\x00" * 10, b"[1]\n{}\n"])
    def test_torn_header(self, journal: Journal, data: bytes) -> None:
        """A file without a whole first line names no trial and is passed over."""
        path = record(journal)
        path.write_bytes(data)
        assert list(journal.leftovers()) == []

    def test_damaged_payload(self, journal: Journal, recorder: JournalRecorder) -> None:
        """A payload that was not written whole is left out."""
        recorder.begin(KEY, 1)
        sha = recorder.attach(b"abc", "image/png")
        (payload,) = journal.folder.glob(f"*/{sha}")
        payload.write_bytes(payload.read_bytes()[:-1])
        (left,) = journal.leftovers()
        assert left.attachments == ()

    def test_newer_journal(self, journal: Journal) -> None:
        """A journal of another schema is refused and kept."""
        path = record(journal)
        path.write_bytes(path.read_bytes().replace(b'"recfw_journal":1', b'"recfw_journal":2'))
        with pytest.raises(StoreError, match="was written by another recfw"):
            list(journal.leftovers())
        assert path.exists()


class TestLock:
    """One process carries a run."""

    def test_second_process_is_refused(self, journal: Journal) -> None:
        """Who comes second learns the first one's pid."""
        script = (
            "import sys; from pathlib import Path; from recfw.store.journal import Journal\n"
            "with Journal(Path(sys.argv[1])).lock(): print('held', flush=True); sys.stdin.read()"
        )
        command = [sys.executable, "-c", script, str(journal.folder)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"held\n"
            with pytest.raises(StoreError) as caught, journal.lock():
                pass
            assert str(caught.value) == (
                f"Run r1 is being carried out by another process (pid {other.pid}). "
                "Wait until it has finished, or end it and resume the run then."
            )
            other.kill()
            other.wait()
            with journal.lock():
                assert journal.held

    def test_freed_after_use(self, journal: Journal) -> None:
        """The lock is free, and an empty journal gone, when the holder is through."""
        with journal.lock(), journal.lock():
            assert journal.held
        assert not journal.held
        assert not journal.folder.exists()
        with Journal(journal.folder).lock():
            pass

    def test_journal_with_leftovers_stays(self, journal: Journal) -> None:
        """Leaving the lock removes no attempt's file."""
        with journal.lock():
            path = record(journal)
        assert path.exists()

    def test_waiter_at_a_removed_lock_file_makes_its_own(
        self, journal: Journal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever locks a file that its holder has just removed tries again, so that two never hold one run."""
        real = os.open
        removed: list[Path] = []

        def opened_too_early(path: Path, *rest: int, **more: int) -> int:
            handle = real(path, *rest, **more)
            if not removed:
                removed.append(path)
                path.unlink()
            return handle

        monkeypatch.setattr(os, "open", opened_too_early)
        with journal.lock(), pytest.raises(StoreError), Journal(journal.folder).lock():
            pass

    def test_read_only_folder(self, unprivileged: Path) -> None:
        """A folder that takes no lock is one clear error."""
        unprivileged.chmod(0o555)
        with pytest.raises(StoreError, match="cannot be written"), Journal(unprivileged / "r1").lock():
            pass


class TestKeeping:
    """Leftovers enter the store, on both databases."""

    def test_kept_as_interrupted(self, store: Store, tmp_path: Path, journal: Journal) -> None:
        """A leftover becomes an interrupted attempt with its partial trace, and its file goes."""
        record(journal, events=EVENTS[:2])
        assert store.keep_leftovers(store.run("r1"), journal) == 1
        info = store.trial("r1", KEY)
        assert (info.attempt, info.status, info.stop, info.events) == (1, Status.INTERRUPTED, "interrupted", 2)
        assert info.seed == KEY.seed(store.run("r1").spec.seed)
        assert [event.kind for event in store.trace("r1", KEY).events] == ["reply", "world"]
        assert store.trace("r1", KEY).end is None
        assert not journal.folder.exists()

    def test_payloads_are_kept(self, store: Store, journal: Journal, recorder: JournalRecorder) -> None:
        """The payloads of a leftover can be read from the store."""
        recorder.begin(KEY, 1)
        sha = recorder.attach(b"a", "image/png")
        store.keep_leftovers(store.run("r1"), journal)
        assert store.attachment(sha) == Attachment(sha, "image/png", b"a")

    def test_stored_attempt_is_only_dropped(self, store: Store, journal: Journal, make_trial: MakeTrial) -> None:
        """A process that died between storing and dropping leaves nothing to do but drop."""
        trial = make_trial()
        store.add_trial("r1", trial)
        record(journal, trial.key, trial.attempt)
        assert store.keep_leftovers(store.run("r1"), journal) == 0
        assert store.trial("r1", trial.key).status == Status.COMPLETED
        assert not journal.folder.exists()

    def test_not_while_another_carries_the_run(self, store: Store, journal: Journal) -> None:
        """Another process's attempts in progress are no leftovers."""
        path = record(journal)
        with Journal(journal.folder).lock(), pytest.raises(StoreError, match="another process"):
            store.keep_leftovers(store.run("r1"), journal)
        assert path.exists()

    def test_file_that_names_no_trial_goes(self, store: Store, journal: Journal) -> None:
        """A file torn within its first line holds nothing and is removed."""
        record(journal).write_bytes(b"{")
        assert store.keep_leftovers(store.run("r1"), journal) == 0
        assert not journal.folder.exists()

    def test_place(self, store: Store, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The journal is beside the database file, or under .recfw here for a server."""
        monkeypatch.chdir(tmp_path)
        base = tmp_path / ".recfw" if place.startswith("postgresql") else Path(place).parent
        assert store.journal("r1").folder == base / "journal" / "r1"
