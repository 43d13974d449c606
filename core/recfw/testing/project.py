"""The fixture ``project``: an empty folder in which to type ``recfw`` commands."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from attrs import frozen

from recfw.cli.main import invoke


@frozen
class Typed:
    """What a typed command did: its exit status and what it printed."""

    status: int
    out: str
    err: str


@frozen
class Project:
    """
    A folder with a result store of its own.

    Args:
        folder: Where commands run.
        environ: Environment variables on top of the test's own.
    """

    folder: Path
    environ: Mapping[str, str]

    def command(self, *words: str) -> list[str]:
        """Return the command line of ``recfw`` with these words."""
        return [sys.executable, "-m", "recfw.cli.main", *words]

    def env(self) -> dict[str, str]:
        """Return the environment of a typed command."""
        return {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", **self.environ}

    def type(self, *words: str, seconds: float = 120) -> Typed:
        """Type ``recfw`` and these words; return what happened. A process of its own: about a second of CPU."""
        done = subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.env(),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        return Typed(done.returncode, done.stdout, done.stderr)

    def call(self, *words: str) -> Typed:
        """
        Have this process do what typing ``recfw`` and these words would; return what happened.

        It is many times quicker than :meth:`type`, since Python, recfw and plugins are loaded already. What has to hold
        for a start from nothing (imports, signals, being killed, a time limit) needs :meth:`type` or :meth:`start`.
        """
        streams = [TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            patch.chdir(self.folder)
            for name, value in self.env().items():
                patch.setenv(name, value)
            status = invoke(words)
        out, err = (stream.buffer.getvalue().decode() for stream in streams)
        return Typed(status, out, err)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Start ``recfw`` with these words and return its process."""
        return subprocess.Popen(
            self.command(*words),
            cwd=self.folder,
            env=self.env(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=hear_interrupts,
        )


def hear_interrupts() -> None:
    """Let a started process hear SIGINT, which a shell makes its background jobs (and so their tests) ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Give an empty folder in which to type commands."""
    return Project(tmp_path, {"RECFW_STORE": str(tmp_path / "runs.db")})
