"""Kept answers: whole or not at all, the first one stays, nothing foreign is taken, and nothing secret is written."""

import json
import multiprocessing
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from attrs import evolve
from fakes_client import ASKED, asking, client, raw

from recfw.errors import OutageError
from recfw.protocols import Facilities
from recfw_litellm.cache import STALE, Kept
from recfw_litellm.client import Answered
from recfw_litellm.secrecy import redactor
from recfw_litellm.wire import Fault, Request

KEY = ASKED.key()


def kept(folder: Path, megabytes: int = 100) -> Kept:
    """Return the answers in a folder."""
    return Kept(folder, megabytes, lambda values: values)


def keeping(folder: Path, *said: object, offline: bool = False, **options: object):
    """Return a client that keeps its answers, and its transport."""
    return client(*said, facilities=Facilities(str(folder), offline), **options)


def files_in(folder: Path) -> list[Path]:
    """Return every file in a folder, hidden ones too."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_an_answer_is_found_again(tmp_path: Path) -> None:
    """Byte for byte what was kept, odd characters included, by anybody who has the folder."""
    answer = raw("Ä 👍 \u2028 \\ud800", extra=[1, None, {"deep": 1.5}])
    assert answer == kept(tmp_path).put(ASKED, KEY, answer, "endpoint")
    assert answer == kept(tmp_path).get(KEY)


def test_a_file_tells_a_person_what_was_asked(tmp_path: Path) -> None:
    """Its name begins with the key's first letters; it holds request, sample and answer, indented."""
    kept(tmp_path).put(ASKED, KEY, raw(), "endpoint")
    (file,) = files_in(tmp_path)
    assert Path(KEY[:2], f"{KEY}.json") == file.relative_to(tmp_path)
    held = json.loads(file.read_text())
    assert ASKED.body() == held["request"]
    assert ["endpoint", ASKED.endpoint, [7, "agent", 1]] == [held["transport"], held["endpoint"], held["sample"]]
    assert file.read_text().count("\n") > 10


PARTS = {
    "model": "other",
    "messages": ({"role": "user", "content": "hello"},),
    "tools": ({"type": "function", "function": {"name": "f"}},),
    "response_format": {"type": "json_object"},
    "params": {"temperature": 0.0},
    "endpoint": "http://127.0.0.1:2/v1",
    "sample": (8, "agent", 1),
}


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_request_is_in_its_key(part: str) -> None:
    """Another model, message, tool, format, parameter, endpoint or sample is another request."""
    assert ASKED.key() != evolve(ASKED, **{part: PARTS[part]}).key()


def test_the_key_is_the_same_whatever_the_order_of_its_parts() -> None:
    """Two processes that build the same request in another order share its answer."""
    assert evolve(ASKED, params={"a": 1, "b": 2}).key() == evolve(ASKED, params={"b": 2, "a": 1}).key()


@pytest.mark.parametrize("sample", [(8, "agent", 1), (7, "user", 1), (7, "agent", 2)])
def test_the_same_words_of_another_trial_or_role_get_an_answer_of_their_own(tmp_path: Path, sample: tuple) -> None:
    """A model that is asked for several samples is not counted once and copied."""
    made, transport = keeping(tmp_path, raw("first"), raw("second"))
    texts = [
        a.raw["choices"][0]["message"]["content"] for a in asking(made, ASKED, evolve(ASKED, sample=sample), ASKED)
    ]
    assert ["first", "second", "first"] == texts
    assert 2 == len(transport.sent)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b'{"schema": 1, "key": "%KEY%"}',
        b'{"schema": 1, "key": "%KEY%", "answer": null}',
        b'{"schema": 1, "key": "%KEY%", "answer": {}}',
        b'{"schema": 1, "key": "%KEY%", "answer": {"choices": []}}',
        b'{"schema": 1, "key": "%KEY%", "answer": {"choices": [{"message": null}]}}',
        b'{"schema": 2, "key": "%KEY%", "answer": %ANSWER%}',
        b'{"schema": 1, "key": "another", "answer": %ANSWER%}',
        b"half",
    ],
)
def test_what_is_no_answer_to_this_request_is_ignored_and_overwritten(tmp_path: Path, content: bytes) -> None:
    """Damaged, cut off, of another schema or another request: it is asked again, and then found."""
    whole = json.dumps({"schema": 1, "key": KEY, "answer": raw("old")}).encode()
    content = whole[: len(whole) // 2] if content == b"half" else content
    content = content.replace(b"%KEY%", KEY.encode()).replace(b"%ANSWER%", json.dumps(raw("old")).encode())
    path = kept(tmp_path).path(KEY)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    made, transport = keeping(tmp_path, raw("new"))
    first, second = asking(made, ASKED, ASKED)
    assert ["new", "new"] == [a.raw["choices"][0]["message"]["content"] for a in (first, second)]
    assert (1, [False, True]) == (len(transport.sent), [first.cached, second.cached])


def test_the_first_answer_stays(tmp_path: Path) -> None:
    """Who got another answer to the same request meanwhile takes the kept one, so that all runs tell the same."""
    first = kept(tmp_path).put(ASKED, KEY, raw("first"), "endpoint")
    assert first == kept(tmp_path).put(ASKED, KEY, raw("second"), "endpoint")
    assert first == kept(tmp_path).get(KEY)


def _write(folder: str, number: int, rounds: int) -> None:
    """Keep answers under the same keys as others do, and read them back."""
    answers = Kept(Path(folder), 100, lambda values: values)
    for turn in range(rounds):
        request = evolve(ASKED, sample=(turn,))
        given = answers.put(request, request.key(), raw(f"{number} " + "x" * 20_000), "endpoint")
        if answers.get(request.key()) != given:
            os._exit(1)


def test_processes_that_write_one_key_at_once_agree(tmp_path: Path) -> None:
    """Four processes, thirty keys: no file is torn, one answer each, and nothing unfinished is left."""
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_write, args=(str(tmp_path), n, 30)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [0] * 4 == [worker.exitcode for worker in workers]
    assert 30 == len(files_in(tmp_path))


def test_offline_nothing_is_sent_and_nothing_is_written(tmp_path: Path) -> None:
    """With --cache-only a kept answer is given at no cost; a request without one ends the run, naming the folder."""
    kept(tmp_path).put(ASKED, KEY, raw("kept"), "endpoint")
    before = files_in(tmp_path)
    made, transport = keeping(tmp_path, offline=True, input_price=1.0, output_price=1.0)
    found, missing = asking(made, ASKED, evolve(ASKED, sample=(9,)))
    assert Answered(raw("kept"), 0.0, 0, True, 0.0) == found
    assert isinstance(missing, Fault)
    assert ("uncached", "fatal") == (missing.kind, missing.blame)
    assert str(tmp_path) in missing.words
    assert ([], before) == (transport.sent, files_in(tmp_path))


def test_offline_the_folder_need_not_be_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder on a read-only medium gives its answers: nothing about it is changed."""
    kept(tmp_path).put(ASKED, KEY, raw("kept"), "endpoint")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(30, "Read-only file system")

    for name in ("utime", "link", "unlink", "mkdir"):
        monkeypatch.setattr(os, name, refuse)
    monkeypatch.setattr(Path, "write_bytes", refuse)
    (found,) = asking(keeping(tmp_path, offline=True)[0])
    assert found.cached


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_paid_for(tmp_path: Path) -> None:
    """It is a file: opening the client says so, and names it."""
    (tmp_path / "file").write_text("")
    made, transport = keeping(tmp_path / "file" / "answers")
    with pytest.raises(OutageError, match="answers cannot be kept here"):
        asking(made)
    assert [] == transport.sent


def _as_nobody(folder: Path) -> None:
    os.setuid(65534)
    try:
        kept(folder).prepare()
    except OutageError as error:
        os._exit(0 if "Permission denied" in str(error) else 2)
    os._exit(1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_folder_of_somebody_else_is_refused_in_words(tmp_path: Path) -> None:
    """Another user's folder may be read, not written."""
    process = multiprocessing.get_context("fork").Process(target=_as_nobody, args=(tmp_path,))
    process.start()
    process.join(30)
    assert 0 == process.exitcode


@pytest.fixture
def small_disk(tmp_path: Path):
    """Give a file system with room for 64 KB; skipped where none can be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(words, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_stops_in_words(small_disk: Path) -> None:
    """What cannot be kept would be paid for again: the run stops, with a next step and no torn file left."""
    made, _ = keeping(small_disk, raw("x" * 20_000))
    found = asking(made, *(evolve(ASKED, sample=(n,)) for n in range(4)))
    assert isinstance(found[-1], OutageError)
    assert "No space left on device" in str(found[-1])
    assert "Make room" in found[-1].hint
    assert ("disk", []) == (found[-1].kind, [f.name for f in files_in(small_disk) if f.name.startswith(".part")])
    good = [a for a in found if isinstance(a, Answered)]
    assert [True] * len(good) == [
        a.cached for a in asking(made, *(evolve(ASKED, sample=(n,)) for n in range(len(good))))
    ]


@pytest.mark.parametrize("errno", ["ENOSPC", "EIO", "EROFS", "EDQUOT"])
def test_a_disk_that_fails_stops_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errno: str) -> None:
    """Full, broken, read-only or beyond a quota: an outage that names the file, and nothing unfinished is left."""
    import errno as errors

    answers = kept(tmp_path)
    number = getattr(errors, errno)

    def fail(path: Path, data: bytes) -> None:
        path.touch()
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OutageError, match=os.strerror(number)):
        answers.put(ASKED, KEY, raw(), "endpoint")
    assert [] == files_in(tmp_path)


def test_a_file_system_without_links_keeps_answers_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file cannot have two names it is given its name by renaming."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    kept(tmp_path).put(ASKED, KEY, raw("kept"), "endpoint")
    assert raw("kept") == kept(tmp_path).get(KEY)
    assert 1 == len(files_in(tmp_path))


def test_beyond_its_bound_what_was_used_longest_ago_goes(tmp_path: Path) -> None:
    """A megabyte holds nine answers of a tenth: the oldest go, but not one that was used since."""
    answers = kept(tmp_path, megabytes=1)
    asked = [evolve(ASKED, sample=(n,)) for n in range(12)]
    for age, request in enumerate(asked):
        answers.put(request, request.key(), raw("x" * 100_000), "endpoint")
        os.utime(answers.path(request.key()), (1000 + age, 1000 + age))
        if age == 5:
            assert answers.get(asked[0].key())
    answers.shrink()
    left = [n for n, request in enumerate(asked) if answers.path(request.key()).exists()]
    assert 0 in left
    assert 11 in left
    assert 1 not in left
    assert sum(file.stat().st_size for file in files_in(tmp_path)) <= 1_000_000


def test_a_folder_stays_within_its_bound_while_it_is_written(tmp_path: Path) -> None:
    """Writing on and on never needs much more than the bound."""
    answers, most = kept(tmp_path, megabytes=1), 0
    answers.prepare()
    for number in range(60):
        request = evolve(ASKED, sample=(number,))
        answers.put(request, request.key(), raw("x" * 50_000), "endpoint")
        most = max(most, sum(file.stat().st_size for file in files_in(tmp_path)))
    assert 800_000 <= most <= 1_060_000


def test_what_a_killed_process_left_unfinished_goes_in_time(tmp_path: Path) -> None:
    """A part that nobody finished for an hour is dropped; one that is being written is not, nor a stranger's file."""
    for name, age in ((".part-1-a", STALE + 9), (".part-2-b", 0.0), ("notes.json", STALE + 9)):
        (tmp_path / name).write_text("{}")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    kept(tmp_path).prepare()
    assert [".part-2-b", "notes.json"] == [file.name for file in files_in(tmp_path)]


SECRET = 'pl4nted"key\\with/odd characters'


def test_no_credential_is_kept_whoever_echoes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted key in the prompt, in the answer, in its keys and beside letters of an escape: none is in any file."""
    monkeypatch.setenv("PLANTED_API_KEY", SECRET)
    monkeypatch.setenv("OTHER_TOKEN", "nplanted-token")
    text = f"You said {SECRET} and sk-{'a' * 40}\nplanted-token"
    request = Request("m", ({"role": "user", "content": text},), params={"user": SECRET})
    made, _ = keeping(tmp_path, {**raw(text), SECRET: [SECRET]})
    live, again = asking(made, request, request)
    written = b"".join(file.read_bytes() for file in files_in(tmp_path)).decode()
    for secret in (SECRET, json.dumps(SECRET)[1:-1], "sk-aaaa"):
        assert secret not in written
        assert secret not in json.dumps(live.raw)
    assert live.raw == again.raw
    assert "You said [redacted] and [redacted]\nplanted-token" == live.raw["choices"][0]["message"]["content"]


def test_values_without_credentials_are_given_back_as_they_are() -> None:
    """Nothing is copied or changed where there is nothing to hide."""
    values = raw("Nothing here.")
    assert values is redactor({"X_API_KEY": "planted-key"})(values)
