"""Writes docs/reference/mistakes.md by making the mistakes and noting what is seen: python docs/build_mistakes.py."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from generated import DOCS, keep

TARGET = DOCS / "reference" / "mistakes.md"

HEAD = """\
# Typical mistakes, and what you see

<!-- Written by docs/build_mistakes.py, which types every line below; edit that file instead. -->

Every error names the thing that is wrong, and the next step. A test types each of these commands and holds what it
prints against this page. The number in brackets is the exit status ([all of them](cli.md#exit-status)). RUN stands for
the id of a stored run.
"""


class Mistake(NamedTuple):
    """A mistake: its title, what is typed (words after ``recfw``), and a file that lies in the folder."""

    title: str
    words: str
    file: str = ""
    text: str = ""


MISTAKES = (
    Mistake("A slip in a command", "rnu --plugin books"),
    Mistake("A slip in an option", "run --plugin books --concurency 4"),
    Mistake("A slip in a plugin's name", "run --plugin boks"),
    Mistake("A plugin that is not there yet", "run --plugin situated"),
    Mistake("A slip in an agent's name", "run --plugin books --agent eliminatng"),
    Mistake("An option that a component does not have", "run --plugin books --set track.retreiver=impact"),
    Mistake("A value that no task has", "run --plugin books --tasks condition=hiden"),
    Mistake("A number out of range", "run --plugin books --concurrency 0"),
    Mistake("A run that is not stored", "report 2019"),
    Mistake("A resume that asks for something else", "run --resume latest --seed 5"),
    Mistake("A trial that was not played", "trace latest b001-hiden"),
    Mistake("A file that is no result store", "runs list --store notes.txt", "notes.txt", "Remember the milk.\n" * 30),
    Mistake("A slip in a configuration file", "run --plugin books", "recfw.toml", "[run]\nconcurency = 16\n"),
    Mistake("A slip in a run file", "run --config run.yaml", "run.yaml", "plugin: books\ntrails: 4\n"),
    Mistake("Deleting where nobody can be asked", "runs delete latest"),
)
FIRST = "run --plugin books --agent popularity --tasks b001-hidden --quiet"


def page() -> str:
    """Make every mistake in a folder with one stored run; return the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = typed(folder, FIRST)
        if first.returncode:
            raise SystemExit(f"recfw {FIRST}\n{first.stderr}")
        return "\n".join([HEAD, *(section(folder, mistake) for mistake in MISTAKES)])


def section(folder: Path, mistake: Mistake) -> str:
    """Make one mistake; return its part of the page."""
    lines = [f"## {mistake.title}\n"]
    path = folder / mistake.file
    if mistake.file:
        path.write_text(mistake.text, encoding="utf-8")
        if path.suffix in {".toml", ".yaml"}:
            lines.append(f"With this `{mistake.file}`:\n\n```{path.suffix[1:]}\n{mistake.text}```\n")
    done = typed(folder, mistake.words)
    if mistake.file:
        path.unlink()
    said = timeless((done.stdout + done.stderr).replace(f"{folder}/", ""))
    return "\n".join([*lines, f"```console\n$ recfw {mistake.words}\n{said}[{done.returncode}]\n```\n"])


def typed(folder: Path, words: str) -> "subprocess.CompletedProcess[str]":
    """Type ``recfw`` and words, with the plugins of this repository that need nothing else, and no settings."""
    kept = {n: v for n, v in os.environ.items() if not n.startswith(("RECFW_", "XDG_", "_RECFW", "PYTEST_"))}
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    return subprocess.run(  # noqa: S603 - the words stand above
        [shutil.which("recfw", path=path) or "recfw", *shlex.split(words)],
        cwd=folder,
        env={**kept, "HOME": str(folder), "COLUMNS": "80", "NO_COLOR": "1", "RECFW_DISABLE_PLUGINS": others()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def others() -> str:
    """Return the installed plugins that the page does not speak of, so that it is the same wherever it is written."""
    from importlib.metadata import entry_points  # noqa: PLC0415

    return ",".join(sorted({entry.name for entry in entry_points(group="recfw")} - {"core", "books"}))


def timeless(text: str) -> str:
    """Return text without what differs from day to day: the ids of runs."""
    return re.sub(r"\b\d{8}-\d{6}-[a-z]{6}\b", "RUN", text)


if __name__ == "__main__":
    sys.exit(keep(TARGET, page(), __file__))
