"""``recfw situated serve``: a store behind a TCP port."""

import json
import logging
import os
import signal
import sys

import click

from recfw.errors import InfrastructureError
from recfw_situated.simulator.opening import open_world
from recfw_situated.simulator.server import Server
from recfw_situated.simulator.table import table


@click.command()
@click.option(
    "--scene",
    metavar="NAME",
    default="supermarket",
    show_default=True,
    help="supermarket, furnishings, or the folder of a scene of your own.",
)
@click.option("--host", metavar="HOST", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    default=9000,
    show_default=True,
    help="Port; 0 takes a free one.",
)
@click.option("--parent", metavar="PID", type=click.IntRange(1), help="End as soon as this process is gone.")
@click.option("--verbose", is_flag=True, help="Log connections that end badly to stderr.")
def serve(scene: str, host: str, port: int, parent: int | None, *, verbose: bool) -> None:
    """
    Serve a simulated store over UnrealCV's protocol, without display or GPU.

    The first line on stdout is a JSON object with host, port, pid, scene and digest. One client at a time; ends on
    SIGTERM or Ctrl-C.

    \b
    Example:
      recfw situated serve --scene furnishings --port 9000
    """  # noqa: D301 - click reads \b as the character that it stands for
    logging.basicConfig(level=logging.INFO if verbose else logging.ERROR, stream=sys.stderr)
    world = open_world(scene)
    try:
        server = Server(world, table(), host, port)
    except OSError as error:
        raise InfrastructureError(
            f"Cannot listen at {host}:{port}: {error.strerror or error}.",
            "Choose another --port, or 0 for a free one.",
            kind="simulator",
        ) from error
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop())
    ready = {"host": server.host, "port": server.port, "pid": os.getpid(), "scene": scene, "digest": world.scene.digest}
    click.echo(json.dumps(ready))
    sys.stdout.flush()
    server.serve(alive=Watch(parent))


class Watch:
    """Tells whether a process lives: the direct parent by who ours is now, any other by a signal that does nothing."""

    def __init__(self, process: int | None) -> None:
        """Watch a process, or nothing."""
        self._process = process
        self._direct = process == os.getppid()

    def __call__(self) -> bool:
        """Tell whether it lives."""
        if self._process is None:
            return True
        if self._direct:
            return os.getppid() == self._process
        try:
            os.kill(self._process, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True
