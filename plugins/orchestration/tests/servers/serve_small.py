"""Serve the small store as the command does: ``serve_small.py NAME|all [PORT]``; it prints lines on purpose."""

import sys
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from small import SmallData

from recfw_orchestration.servers import SERVERS
from recfw_orchestration.servers.serving import combined, serve_http, serve_stdio


class Talking(SmallData):
    """A store that prints, and one page of which fails."""

    def page(self, page_id):
        print("a stray line")
        if page_id == "broken":
            raise OSError("/secret/path: input/output error")
        return super().page(page_id)


if __name__ == "__main__":
    names = tuple(SERVERS) if sys.argv[1] == "all" else sys.argv[1:2]
    server = combined(Talking(), names)
    if len(sys.argv) > 2:
        with suppress(KeyboardInterrupt):  # the command line answers it with status 130
            serve_http(server, "127.0.0.1", int(sys.argv[2]))
    else:
        serve_stdio(server)
