"""The stub in a process of its own, whose CPU time is then the stub's alone."""

import subprocess
import sys
from types import TracebackType
from typing import Any, Self
from urllib.request import Request, urlopen

import orjson

from recfw.errors import InfrastructureError


class ProviderProcess:
    """
    A stub in a process of its own, while the context lasts.

    Args:
        words: Options of ``python -m recfw.testing.provider``.

    Attributes:
        url: The base URL that a client is given, ending in ``/v1``.
    """

    def __init__(self, *words: str) -> None:
        self.url = ""
        self._words = words
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "recfw.testing.provider", "--until-stdin-ends", *self._words]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._process = process
        assert process.stdout is not None
        self.url = process.stdout.readline().strip()
        if not self.url:
            said = process.communicate()[1].strip()
            raise InfrastructureError(f"The stub provider did not start: {said}", kind="stub")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.communicate()

    def stats(self) -> dict[str, Any]:
        """Return what the stub has done so far, as :class:`recfw.testing.provider.Stats` names it."""
        found: dict[str, Any] = self._ask("/stats")
        return found

    def recorded(self) -> list[dict[str, Any]]:
        """Return the newest requests, as :class:`recfw.testing.provider.Recorded` names their parts."""
        found: list[dict[str, Any]] = self._ask("/requests")
        return found

    def change(self, **fields: Any) -> None:
        """Change fields of the script, as JSON values."""
        self._ask("/script", orjson.dumps(fields))

    def _ask(self, path: str, body: bytes | None = None) -> Any:
        address = Request(self.url.removesuffix("/v1") + path, data=body)  # noqa: S310 - a loopback address of ours
        with urlopen(address, timeout=30) as answer:  # noqa: S310 - as above
            return orjson.loads(answer.read())
