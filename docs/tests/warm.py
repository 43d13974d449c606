"""
A ``recfw`` that starts at once, for the pages' commands: they are some two hundred, and importing is most of each.

One process imports recfw and its plugins, then forks for every command; what stands on the PATH as ``recfw`` hands its
words, folder, environment and open files over. A command that is killed is killed there, too.
"""

import gc
import importlib
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CLIENT = """\
#!{python} -IS
import os, sys, _socket, _struct
there = _socket.socket(_socket.AF_UNIX)
there.connect({address!r})
environ = [name + b"=" + value for name, value in os.environb.items()]
words = [os.fsencode(word) for word in (os.getcwd(), str(len(sys.argv) - 1), *sys.argv[1:])]
files = _struct.pack("3i", 0, 1, 2)
text = b"\\0".join(words + environ)
there.sendmsg([_struct.pack("i", len(text)) + text], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
sys.exit(int(there.recv(16) or b"255"))
"""


@contextmanager
def warm_recfw(folder: Path) -> Iterator[Path]:
    """Give a folder for the PATH whose ``recfw`` starts at once."""
    address = folder / "socket"
    client = folder / "bin" / "recfw"
    client.parent.mkdir(parents=True)
    client.write_text(CLIENT.format(python=sys.executable, address=str(address)), encoding="utf-8")
    client.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(address))
        listening.listen(16)
        command = [sys.executable, __file__, str(listening.fileno())]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RECFW_", "PYTEST_"))}
        process = subprocess.Popen(command, pass_fds=[listening.fileno()], stdin=subprocess.DEVNULL, env=kept)
    try:
        yield client.parent
    finally:
        process.terminate()
        process.wait()


def serve(listening: socket.socket) -> None:
    """Fork for each command until SIGTERM; returns in the process that is to carry one out."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    running: set[int] = set()
    while True:
        there, _ = listening.accept()
        child = os.fork()
        if not child:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            listening.close()
            return begin(there)
        there.close()
        running.add(child)
        running -= {one for one in running if os.waitpid(one, os.WNOHANG)[0]}


def begin(there: socket.socket) -> None:
    """Become the command that ``there`` asks for; a process between waits for its end, and tells the status."""
    text, files, _, _ = socket.recv_fds(there, 1 << 20, 3)
    wanted = int.from_bytes(text[:4], sys.byteorder) + 4
    while len(text) < wanted:
        text += there.recv(1 << 20)
    folder, count, *rest = [os.fsdecode(word) for word in text[4:].split(b"\0")]
    child = os.fork()
    if child:
        for file in files:
            os.close(file)
        os._exit(watch(there, child))
    there.close()
    for target, file in enumerate(files):
        os.dup2(file, target)
        os.close(file)
    os.chdir(folder)
    sys.argv = ["recfw", *rest[: int(count)]]
    os.environ.clear()
    os.environ.update(entry.split("=", 1) for entry in rest[int(count) :])
    sys.path[:1] = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]  # noqa: PTH100
    importlib.invalidate_caches()


def watch(there: socket.socket, child: int) -> int:
    """Wait for a command's end and tell its status; kill it where nobody waits for it any more."""
    ended = os.pidfd_open(child)
    ready, _, _ = select.select([there, ended], [], [])
    if ended not in ready:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended in ready:
        there.sendall(str(status if status >= 0 else 128 - status).encode())
    return 0


def warm() -> None:
    """Import what commands import, and read the catalog that most of them play over, as any process does once."""
    from recfw import cli
    from recfw.plugins import build_manager
    from recfw.registry import KINDS, Registry
    from recfw_books.analysis import paper_report  # noqa: F401 - scipy, and the books plugin's reports
    from recfw_books.track import BooksTrack

    for module in pkgutil.iter_modules(cli.__path__):
        importlib.import_module(f"recfw.cli.{module.name}")
    registry = Registry(build_manager())
    for kind in KINDS:
        registry.classes(kind)
    BooksTrack().content_digest()
    gc.freeze()  # what is shared with every command stays where it is


def carry_out() -> None:
    """Be the command, and leave at once: to take apart what was inherited costs more than most commands."""
    from recfw.cli.main import invoke

    try:
        status = invoke()
    except SystemExit as ending:
        status = int(ending.code or 0)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    warm()
    serve(socket.socket(fileno=int(sys.argv[1])))
    carry_out()
