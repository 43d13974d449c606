"""A query service on loopback: it answers the plugin's queries from a few works, and fails as it is told to."""

import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

ENTITY = "http://www.wikidata.org/entity/"
LABELS = {
    "Q1860": "English",
    "Q7979": "British English",
    "Q150": "French",
    "Q145": "United Kingdom",
    "Q22": "Scotland",
    "Q142": "France",
}
"""Languages and countries of the works."""
PARENTS = {
    "language": {"Q7979": ["Q1860"], "Q1860": ["Q33", "Q34770"], "Q150": ["Q34770"]},
    "country": {"Q22": ["Q145"], "Q145": ["Q145"], "Q142": ["Q142"]},
    "class": {"Q900": ["Q7725634"], "Q7725634": ["Q47461344"]},
}
GENRES = ("Q24925", "Q132311", "Q208505")


def uri(entity: str) -> dict[str, str]:
    """Return a cell with an entity."""
    return {"type": "uri", "value": ENTITY + entity}


def text(value: str, language: str | None = "en") -> dict[str, str]:
    """Return a cell with words."""
    return {"type": "literal", "value": value, **({"xml:lang": language} if language else {})}


def date(year: int) -> dict[str, str]:
    """Return a cell with the first day of a year."""
    sign = "-" if year < 0 else ""
    kind = "http://www.w3.org/2001/XMLSchema#dateTime"
    return {"type": "literal", "datatype": kind, "value": f"{sign}{abs(year):04d}-01-01T00:00:00Z"}


def results(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return a response with these rows."""
    names = sorted({name for row in rows for name in row})
    return json.dumps({"head": {"vars": names}, "results": {"bindings": rows}}).encode()


def rows_of(number: int) -> list[dict[str, Any]]:
    """Return what the service says of work Q<number>, one property a row."""
    item = {"item": uri(f"Q{number}"), "itemLabel": text(f"Work {number}")}
    language, country = (("Q1860", "Q145"), ("Q7979", "Q22"), ("Q150", "Q142"))[number % 3]
    return [
        {**item, "sitelinks": text(str(number % 7), None)},
        {**item, "class": uri("Q900" if number % 4 else "Q571")},
        {**item, "author": uri(f"Q{number + 5000}"), "authorLabel": text(f"Author {number}")},
        {**item, "date": date(1500 + number), "precision": text("9", None)},
        *({**item, "genre": uri(genre)} for genre in genres_of(number)),
        {**item, "language": uri(language), "languageLabel": text(LABELS[language])},
        {**item, "country": uri(country), "countryLabel": text(LABELS[country])},
    ]


def genres_of(number: int) -> tuple[str, ...]:
    """Return the genres of work Q<number>: one or two."""
    return (GENRES[number % 3],) if number % 5 else (GENRES[number % 3], GENRES[(number + 1) % 3])


Fault = Callable[["Handler"], None]


class Service(ThreadingHTTPServer):
    """The service; ``faults`` are used up one a request, None for a proper answer."""

    daemon_threads = True

    def __init__(self, works: Sequence[int]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.works = list(works)
        self.faults: list[Fault | None] = []
        self.queries: list[str] = []
        self.agents: list[str] = []
        self.busy = 0
        self.most_busy = 0

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_port}/sparql"

    def answer(self, query: str) -> bytes:
        """Return the proper response to a query."""
        seeds = re.search(r"VALUES \?seed \{ ([^}]*)\}", query)
        if seeds:
            return results(self._parents(query, re.findall(r"wd:(Q\d+)", seeds[1])))
        wanted = set(re.findall(r"wd:(Q\d+)", re.search(r"VALUES \?wanted \{([^}]*)\}", query)[1]))  # type: ignore[index]
        after = re.search(r'FILTER\(STR\(\?item\) > "([^"]*)"\)', query)[1]  # type: ignore[index]
        limit = int(re.search(r"LIMIT (\d+)", query)[1])  # type: ignore[index]
        found = sorted(ENTITY + f"Q{n}" for n in self.works if wanted & set(genres_of(n)))
        page = [address for address in found if address > after][:limit]
        return results([row for address in page for row in rows_of(int(address.removeprefix(f"{ENTITY}Q")))])

    def _parents(self, query: str, seeds: Sequence[str]) -> list[dict[str, Any]]:
        kind = re.search(r"SELECT DISTINCT \?(\w+) \?parent", query)[1]  # type: ignore[index]
        rows, level, seen = [], list(seeds), set(seeds)
        while level:
            child = level.pop(0)
            for parent in PARENTS[kind].get(child, ()):
                rows.append({kind: uri(child), "parent": uri(parent)})
                if parent not in seen:
                    seen.add(parent)
                    level.append(parent)
        return rows


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Service
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Answer, or fail."""
        self.server.busy += 1
        self.server.most_busy = max(self.server.most_busy, self.server.busy)
        try:
            self.server.queries.append(parse_qs(urlsplit(self.path).query)["query"][0])
            self.server.agents.append(self.headers["User-Agent"])
            fault = self.server.faults.pop(0) if self.server.faults else None
            if fault is None:
                self.reply(200, self.server.answer(self.server.queries[-1]))
            else:
                fault(self)
        except BrokenPipeError:
            self.close_connection = True
        finally:
            self.server.busy -= 1

    def reply(self, status: int, body: bytes, media: str = "application/sparql-results+json", **headers: str) -> None:
        """Send a response."""
        self.send_response(status)
        self.send_header("Content-Type", media)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: Any) -> None:
        """Say nothing."""


def status(code: int, **headers: str) -> Fault:
    """Return a fault: an error page of this status."""
    return lambda handler: handler.reply(code, b"<html>No.</html>", "text/html", **headers)


def html(handler: Handler) -> None:
    """Answer 200 with a page for people."""
    handler.reply(200, b"<html>Under maintenance</html>", "text/html")


def truncated(handler: Handler) -> None:
    """Answer 200 with JSON that breaks off, as the service does when time runs out."""
    body = handler.server.answer(handler.server.queries[-1])
    handler.reply(200, body[: len(body) // 2])


def dropped(handler: Handler) -> None:
    """Reset the connection in the middle of the body."""
    body = handler.server.answer(handler.server.queries[-1])
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    handler.connection.close()


def short(handler: Handler) -> None:
    """End the connection before the body is whole."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"head": {"vars": []}, "results": {"bindings": []}}')
    handler.close_connection = True


def silent(handler: Handler) -> None:
    """Say nothing for longer than the client waits."""
    time.sleep(1.0)
    handler.close_connection = True


def refused(handler: Handler) -> None:
    """Refuse who asks."""
    handler.reply(403, b"Please set a user agent.", "text/plain")


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Give the service with forty works."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    server = Service(range(1, 41))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def sample(shared_data: Path) -> Path:
    """Return the real sample of a query result."""
    return shared_data / "books" / "wikidata_sparql_sample.json"
