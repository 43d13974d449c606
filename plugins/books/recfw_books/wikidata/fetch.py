"""The fetch: works page by page, then what their classes, languages and countries lie under, into a snapshot."""

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from recfw.errors import InfrastructureError
from recfw_books.wikidata.client import Answer, Client
from recfw_books.wikidata.items import number
from recfw_books.wikidata.plan import SEEDED, WORKS, Request, next_page, seeded, seeds_in, works_in
from recfw_books.wikidata.responses import parse_response
from recfw_books.wikidata.rules import Rules
from recfw_books.wikidata.snapshot import Entry, Writer


class Fetch:
    """
    One fetch into an opened snapshot.

    Args:
        client: Whom to ask.
        writer: The snapshot.
        rules: Whose mapped genres to ask for.
        page: Works a page.
        endpoint: The query service's address, for the journal.
        say: Is told in words of every response.
    """

    def __init__(
        self, client: Client, writer: Writer, rules: Rules, page: int, endpoint: str, say: Callable[[str], None]
    ) -> None:
        self._client = client
        self._writer = writer
        self._rules = rules
        self._page = page
        self._endpoint = endpoint
        self._say = say
        self._works: set[str] = set()
        self._seeds: dict[str, set[str]] = {query: set() for query in SEEDED}

    def run(self) -> None:
        """
        Ask for what is missing until the snapshot is finished.

        Raises:
            InfrastructureError: The service gave up on us, or we on it; what is saved stays and can be gone on with.
            DataError: The disk refuses, or a saved response is damaged.
        """
        snapshot = self._writer.snapshot
        if snapshot.finished:
            return
        for entry in snapshot.entries:
            if entry.query == WORKS:
                self._count(Answer(b"", tuple(parse_response(snapshot.bytes_of(entry), entry.response))))
        while not self._enough():
            request = next_page(self._rules, snapshot.entries, self._page)
            if request is None:
                break
            self._take_page(request)
        for request in self._missing():
            self._save(request, self._client.ask(request.text))
        self._writer.finish()

    def _enough(self) -> bool:
        size = self._writer.snapshot.settings.size
        return 0 < size <= len(self._works)

    def _missing(self) -> Iterator[Request]:
        """Yield what is still to be asked about the classes, languages and countries of the works."""
        there = {entry.response for entry in self._writer.snapshot.entries}
        for query, seeds in self._seeds.items():
            for request in seeded(query, sorted(seeds, key=number)):
                if request.response not in there:
                    yield request

    def _take_page(self, request: Request) -> None:
        answer = self._client.ask(request.text)
        works = works_in(answer.rows)
        last = max(works, default=request.after)
        done = len(works) < self._page
        if not done and last <= request.after:
            raise InfrastructureError(
                f"{self._endpoint} gave the same page twice (works of {request.part} after {request.after}).",
                "It does not seem to heed the query's FILTER and ORDER BY; ask another query service.",
            )
        self._save(request, answer, last=last, done=done, works=len(works))
        self._count(answer)

    def _count(self, answer: Answer) -> None:
        self._works |= works_in(answer.rows)
        for query, seeds in seeds_in(answer.rows).items():
            self._seeds[query] |= seeds

    def _save(self, request: Request, answer: Answer, *, last: str = "", done: bool = True, works: int = 0) -> None:
        entry = Entry(
            response=request.response,
            query=request.query,
            part=request.part,
            after=request.after,
            last=last,
            done=done,
            works=works,
            rows=len(answer.rows),
            sha256=hashlib.sha256(answer.data).hexdigest(),
            endpoint=self._endpoint,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        self._writer.add(entry, answer.data)
        self._say(f"{entry.response}: {works:,} works, {entry.rows:,} rows")
