"""The embedded simulator as a process of its own, which never outlives whoever started it."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from threading import Thread
from typing import IO

import attrs
import orjson

from recfw.errors import InfrastructureError
from recfw_situated.driver.worker import Worker

STARTING = 60.0
"""Seconds that a simulator has to say that it is ready; several start at once on busy cores."""

SERVE = "from recfw_situated.cli.serve import serve; serve()"


def command(scene: str) -> list[str]:
    """Return the command line of a simulator at a free port, which ends when this process does."""
    return [sys.executable, "-c", SERVE, "--scene", scene, "--port", "0", "--parent", str(os.getpid())]


@attrs.frozen(eq=False)
class Served:
    """A simulator that is ready: where it listens, what it serves, and its process."""

    host: str
    port: int
    digest: str
    process: "subprocess.Popen[bytes]"

    @property
    def alive(self) -> bool:
        """Tell whether it still runs."""
        return self.process.poll() is None

    def stop(self) -> None:
        """End it at once: it holds nothing worth saving, and cancelled tasks may await nothing."""
        _end(self.process)


async def start(scene: str, line: Sequence[str] | None = None, seconds: float = STARTING) -> Served:
    """
    Start a simulator and wait until it is ready.

    Args:
        scene: Name of the scene.
        line: The command line; by default that of the embedded simulator.
        seconds: How long it may take.

    Raises:
        InfrastructureError: It ends, says something else, or is not ready in time; the words quote its stderr.
    """
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: ASYNC220, S603 - it forks and returns; our own command line
            list(line or command(scene)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
        )
        worker = Worker("recfw-simulator-start")
        try:
            assert process.stdout is not None
            stdout = process.stdout
            first = await worker.run(stdout.readline, seconds)
            return _read(first, process, scene)
        except BaseException as error:
            _end(process)
            if isinstance(error, TimeoutError):
                raise _failed(scene, f"was not ready within {seconds:g} s", errors) from error
            if isinstance(error, ValueError | KeyError | TypeError):
                raise _failed(scene, "ended, or said something else, before it was ready", errors) from error
            raise
        finally:
            worker.end()


def _read(first: bytes, process: "subprocess.Popen[bytes]", scene: str) -> Served:
    ready = orjson.loads(first)
    if ready["scene"] != scene:
        raise ValueError(ready["scene"])
    served = Served(str(ready["host"]), int(ready["port"]), str(ready["digest"]), process)
    Thread(target=_drain, args=(process,), daemon=True, name="recfw-simulator-stdout").start()
    return served


def _drain(process: "subprocess.Popen[bytes]") -> None:
    """Read whatever else it says, so that it never waits for a reader."""
    with contextlib.suppress(OSError, ValueError):
        while process.stdout is not None and process.stdout.read(4096):
            pass


def _end(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _failed(scene: str, trouble: str, errors: IO[bytes]) -> InfrastructureError:
    errors.seek(0)
    said = errors.read()[-1500:].decode("utf-8", "replace").strip()
    last = f" It said: {said.splitlines()[-1][:300]}" if said else ""
    hint = f"Try it by hand: recfw situated serve --scene {scene} --port 0"
    return InfrastructureError(f"The simulator of '{scene}' {trouble}.{last}", hint, kind="simulator")
