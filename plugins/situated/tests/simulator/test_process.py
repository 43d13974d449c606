"""The process: its first line, its ends, and that it never outlives whoever started it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import real_client

SERVE = "from recfw_situated.cli.serve import serve; serve()"


def start(*arguments: str) -> "subprocess.Popen[bytes]":
    """Start a server at a free port."""
    return subprocess.Popen(
        [sys.executable, "-c", SERVE, "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )


def gone(process: int, seconds: float = 10.0) -> bool:
    """Tell whether a process of somebody else ends in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(("scene", "number"), [("supermarket", signal.SIGTERM), ("furnishings", signal.SIGINT)])
def test_it_says_where_it_listens_serves_and_ends_on_a_signal(scene: str, number: signal.Signals) -> None:
    """One line of JSON, a client served at that port, exit code 0, silence on stderr."""
    process = start("--scene", scene)
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        assert (scene, process.pid) == (ready["scene"], ready["pid"])
        with real_client.connected(ready["port"]) as client:
            assert client.request("vget /scene/name") == scene
            process.send_signal(number)
            out, errors = process.communicate(timeout=15)
        assert (0, b"", b"") == (process.returncode, out, errors)
    finally:
        process.kill()


def test_it_ends_with_the_parent_that_it_was_told_of() -> None:
    """A parent that is killed leaves no server behind."""
    program = (
        "import os, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {SERVE!r}, '--port', '0', '--parent', str(os.getpid())],"
        " stdout=subprocess.PIPE)\n"
        "print(child.stdout.readline().decode(), flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert parent.stdout is not None
        ready = json.loads(parent.stdout.readline())
        assert not gone(ready["pid"], 0.3)
        parent.kill()
        parent.wait()
        assert gone(ready["pid"])
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()


def test_it_ends_when_the_process_to_watch_is_no_parent_of_it_and_gone() -> None:
    """A stale number ends it at once instead of leaving it for ever."""
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    dead.wait()
    process = start("--parent", str(dead.pid))
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert json.loads(out)["pid"] == process.pid


def test_a_taken_port_is_a_sentence() -> None:
    """It names the port and what to do."""
    process = start("--host", "203.0.113.7")
    _, errors = process.communicate(timeout=30)
    assert process.returncode != 0
    assert b"Cannot listen at 203.0.113.7:0" in errors
    assert b"Choose another --port" in errors
