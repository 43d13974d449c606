"""Run files: what they may say, and that every refusal names the file and the key, on one line."""

import os
from pathlib import Path

import pytest

from recfw.cli.runfile import KEYS, LARGEST_FILE, read_config
from recfw.errors import DataError, ExitCode
from recfw.store.repository import Store


def config(folder: Path, text: str) -> str:
    """Write a run file; return its path."""
    path = folder / "run.yaml"
    path.write_text(text)
    return str(path)


def refusal(path: str) -> str:
    """Return the words with which a run file is refused, its path left out."""
    with pytest.raises(DataError) as caught:
        read_config(path)
    words = str(caught.value)
    assert words.startswith(f"{path}: ")
    assert "\n" not in words
    return words.removeprefix(f"{path}: ")


def test_everything_may_stand_in_a_file(tmp_path: Path) -> None:
    """Every key is read; several values are tuples, and short keys are found where the long ones say them."""
    text = """
        plugin: p
        track: t
        roles: {moderator: m}
        agent: [a, b]
        user: u
        options: {size: [1, 2], words: [[x, y]]}
        interface: plain
        retriever: r
        catalog: c
        data: d
        set: {agent: {n: 3}, limits: {turns.agent: 4}}
        tasks: one
        trials: 2
        seed: 7
        judges: []
        store: s.db
        concurrency: 3
        workers: 0
        executor: e
    """
    assert all(f"{key}:" in text for key in KEYS)
    assert read_config(config(tmp_path, text)) == {
        "plugin": "p",
        "track": "t",
        "roles": {"moderator": ("m",), "agent": ("a", "b"), "user": ("u",)},
        "options": {
            "size": (1, 2),
            "words": (["x", "y"],),
            "interface": ("plain",),
            "retriever": ("r",),
            "catalog": ("c",),
            "data": ("d",),
        },
        "set": {"agent": {"n": (3,)}, "limits": {"turns.agent": (4,)}},
        "tasks": ("one",),
        "trials": 2,
        "seed": 7,
        "judges": (),
        "store": "s.db",
        "concurrency": 3,
        "workers": 0,
        "executor": "e",
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a mapping with any of plugin, track, roles, "),
        ("[a]", "a mapping with any of plugin, track, roles, "),
        ("rols: {}", "unknown key 'rols' (known: plugin, "),
        ("1: x", "unknown key '1' (known: plugin, "),
        ("track: null", "'track' must be a text, not nothing."),
        ("judges: null", "'judges' must be a text or a list of texts, not nothing."),
        ("roles: [a]", "'roles' must be a mapping, not ['a']."),
        ("roles: {agent: [1, 2]}", "'roles.agent' must be a text, not 1."),
        ("roles: {agent: null}", "'roles.agent' must be a text or a list of texts, not nothing."),
        ("roles: {agent: {a: b}}", "'roles.agent' must be a text or a list of texts, not {'a': 'b'}."),
        ("roles: {agent: []}", "'roles.agent' must be a name or a list of names, not []."),
        ("roles: {1: x}", "'roles' must be a mapping whose keys are texts, not 1."),
        ("agent: ''", "'agent' must be a text, not ''."),
        ("agent: a\nroles: {agent: b}", "'agent' and 'roles.agent' say the same. Keep one of them."),
        ("retriever: a\noptions: {retriever: b}", "'retriever' and 'options.retriever' say the same."),
        ("options: {size: []}", "'options.size' must be a value or a list of values, not []."),
        ("set: {1: {2: 3}}", "'set' must be a mapping whose keys are texts, not 1."),
        ("set: {agent: 3}", "'set.agent' must be a mapping, not 3."),
        ("set: {agent: {2: 3}}", "'set.agent' must be a mapping whose keys are texts, not 2."),
        ("set: {limits: {call_seconds: [1]}}", "'set.limits.call_seconds' must be a number, not [1]."),
        ("set: {limits: {repairs: true}}", "'set.limits.repairs' must be a number, not True."),
        ("tasks: {a: b}", "'tasks' must be a text or a list of texts, not {'a': 'b'}."),
        ("trials: x", "'trials' must be a whole number, not 'x'."),
        ("seed: true", "'seed' must be a whole number, not True."),
        ("concurrency: 0", "'concurrency' must be a whole number, 1 or more, not 0."),
        ("workers: -1", "'workers' must be a whole number, 0 or more, not -1."),
        ("roles: &r {agent: *r}", "the run file is nested too deeply, or refers to itself."),
        ("options: " + "[" * 20000, "the run file is nested too deeply."),
        ("options: {x: " + "[" * 30 + "]" * 30 + "}", "the run file is nested too deeply, or refers to itself."),
        ("track: [", "no valid YAML ("),
        ("seed: !!int x", "no valid YAML ("),
        ("seed: 2020-99-99", "no valid YAML ("),
    ],
)
def test_what_is_off_is_named(tmp_path: Path, text: str, words: str) -> None:
    """Whatever is wrong with a file, one line names it and the key."""
    assert refusal(config(tmp_path, text)).startswith(words)


def test_aliases_that_multiply_are_refused(tmp_path: Path) -> None:
    """A few lines of aliases that stand for millions of values are refused at once."""
    lines = ["options:", "  a0: &a0 [x]", *(f"  a{n + 1}: &a{n + 1} [*a{n}, *a{n}, *a{n}]" for n in range(15))]
    assert refusal(config(tmp_path, "\n".join(lines))) == "the run file is nested too deeply, or refers to itself."


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A device or a pipe, which may never end, and a folder are refused; so is a file that is not there."""
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", str(tmp_path / "pipe"), str(tmp_path)):
        assert refusal(path) == "a run file is a regular file, which this is not."
    assert refusal(str(tmp_path / "none.yaml")).startswith("the run file cannot be read: there is no such file.")


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    """A file of more than a megabyte is no run file."""
    path = config(tmp_path, "#" * (LARGEST_FILE + 1))
    assert refusal(path) == "1,000,001 bytes are too many: a run file has at most 1,000,000."


def test_a_file_says_how_a_run_is_carried_out(recfw, tmp_path: Path) -> None:
    """Its store is used, and a resume with another concurrency is no other run; words win over both."""
    path = config(tmp_path, "track: fake-dialogue\nagent: fake-model\ntrials: 2\nstore: told.db\nconcurrency: 2\n")
    assert recfw("run", "--config", path).status == ExitCode.DONE
    with Store.open(tmp_path / "told.db") as store:
        (summary,) = store.runs()
        assert (summary.completed, summary.info.spec.cells[0].roles["agent"].name) == (16, "fake-model")
    again = recfw("run", "--config", path, "--concurrency", "3", "--resume", "latest")
    assert (again.status, again.out) == (
        0,
        f"Run {summary.info.id} is finished: all 16 trials are stored. Nothing to do.\n",
    )
    assert recfw("run", "--config", path, "--store", "worded.db").status == ExitCode.DONE
    assert (tmp_path / "worded.db").exists()


def test_words_win_over_a_file_key_by_key(recfw, tmp_path: Path) -> None:
    """A role, a track's option and a component's option that words name replace those of the file."""
    text = "track: fake-pictures\nroles: {moderator: [a, b], agent: nobody}\noptions: {size: 2}\n"
    path = config(tmp_path, text)
    done = recfw("run", "--config", path, "--role", "moderator=fake-moderator", "--agent", "fake-guide", "--dry-run")
    assert done.status == ExitCode.USAGE  # the track has no option of that name
    path = config(tmp_path, "track: fake-dialogue\nroles: {agent: nobody}\noptions: {size: 2}\n")
    done = recfw("run", "--config", path, "--role", "agent=fake-asker", "--set", "track.size=3", "--dry-run")
    assert done.out.startswith(
        "fakes.plugin, track fake-dialogue: 3 trials (1 of each task in each cell), seed 0\n  fake-asker: "
    )
