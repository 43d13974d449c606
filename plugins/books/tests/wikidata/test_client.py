"""The client: who it says it is, how it waits, what it tries again, and when it gives up."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from recfw.errors import InfrastructureError
from recfw_books.wikidata import client as module
from recfw_books.wikidata.client import Client
from recfw_books.wikidata.plan import next_page
from recfw_books.wikidata.rules import read_rules
from recfw_books.wikidata.waiting import Patience, retry_after

from .conftest import Fault, Service, dropped, html, refused, short, silent, status, truncated

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def query() -> str:
    """Return a query for works."""
    request = next_page(read_rules(), [], 1000)
    assert request is not None
    return request.text


@contextmanager
def waiting(service: Service, tries: int = 4) -> Iterator[tuple[Client, list[float], list[str]]]:
    """Give a client that notes its waits instead of waiting, and what it says."""
    waits: list[float] = []
    said: list[str] = []
    patience = Patience(delay=0.5, tries=tries, jitter=lambda: 0.5)
    with Client(service.url, "tests/1 (mailto:a@example.org)", patience, said.append, waits.append) as client:
        yield client, waits, said


def test_it_says_who_it_is(service: Service) -> None:
    """The user agent is the one that was given."""
    with waiting(service) as (client, _, _):
        client.ask(query())
    assert service.agents == ["tests/1 (mailto:a@example.org)"]


def test_it_pauses_between_requests(service: Service) -> None:
    """The first request goes out at once, every later one after the pause."""
    with waiting(service) as (client, waits, _):
        client.ask(query())
        client.ask(query())
    assert waits == [0.0, 0.5]


@pytest.mark.parametrize("fault", [status(500), status(502), status(503), status(504), html, truncated, dropped, short])
def test_what_may_pass_is_tried_again(service: Service, fault: Fault) -> None:
    """Errors of the server, pages for people, cut-off JSON, resets and early ends are followed by a whole answer."""
    service.faults = [fault, fault]
    with waiting(service) as (client, waits, said):
        answer = client.ask(query())
    assert answer.data == service.answer(query())
    assert (waits, len(said)) == ([0.0, 1.5, 3.0], 2)


def test_silence_ends_by_the_time_out(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that says nothing is asked again."""
    monkeypatch.setattr(module, "_READ", 0.1)
    service.faults = [silent]
    with waiting(service) as (client, _, said):
        client.ask(query())
    assert said == ["no answer in time (ReadTimeout); waiting 1.5 s, then try 2 of 4"]


def test_a_trickle_ends_by_the_deadline(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A response that takes longer than its deadline is given up, however its bytes drip."""
    monkeypatch.setattr(module, "_DEADLINE", -1.0)
    with waiting(service, tries=1) as (client, _, _), pytest.raises(InfrastructureError, match="took longer than"):
        client.ask(query())


def test_an_endless_response_is_refused(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A response beyond the largest size is not asked for again."""
    monkeypatch.setattr(module, "_LARGEST", 10)
    with waiting(service) as (client, _, _), pytest.raises(InfrastructureError, match="sends more than 10 bytes"):
        client.ask(query())
    assert len(service.queries) == 1


def test_retry_after_in_seconds_is_heeded(service: Service) -> None:
    """The wait is the one that the server asks for, not ours."""
    service.faults = [status(429, Retry_After="7"), status(503, Retry_After="40")]
    with waiting(service) as (client, waits, said):
        client.ask(query())
    assert waits == [0.0, 7.0, 40.0]
    assert said[0] == "HTTP 429 Too Many Requests; waiting 7.0 s, then try 2 of 4"


def test_retry_after_as_a_date_is_heeded(service: Service) -> None:
    """A date in the header becomes the seconds until then."""
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    service.faults = [status(429, Retry_After=then)]
    with waiting(service) as (client, waits, _):
        client.ask(query())
    assert 50 < waits[1] <= 60


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 0 ", 0.0),
        ("Mon, 30 Nov 2026 12:01:00 GMT", 60.0),
        ("Mon, 30 Nov 2026 12:01:00 -0000", 60.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("1e9", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_read(value: str | None, seconds: float | None) -> None:
    """Seconds and dates are understood, a date gone by is 0, anything else asks for nothing."""
    assert retry_after(value, NOW) == seconds


def test_waits_double_up_to_a_ceiling() -> None:
    """Without jitter the waits are 2, 4, 8 … and never above the ceiling; jitter takes up to a half away."""
    calm = Patience(delay=1, tries=9, jitter=lambda: 0.0, ceiling=10)
    eager = Patience(delay=1, tries=9, jitter=lambda: 1.0, ceiling=10)
    assert [calm.again(tried, None) for tried in (1, 2, 3, 4, 9)] == [2, 4, 8, 10, 10]
    assert [eager.again(tried, None) for tried in (1, 4)] == [1, 5]


def test_a_wait_of_nothing_still_backs_off() -> None:
    """Retry-After: 0 does not make the client hammer."""
    assert Patience(delay=1, tries=9, jitter=lambda: 0.0).again(3, 0.0) == 8


def test_a_slow_server_gets_rest() -> None:
    """The pause is as long as the response took, within the delay and the ceiling."""
    patience = Patience(delay=1, tries=9, jitter=lambda: 0.0, ceiling=30)
    assert [patience.between(took) for took in (0.1, 12.0, 90.0)] == [1, 12.0, 30]


def test_a_very_long_wait_stops(service: Service) -> None:
    """A server that wants an hour of peace is not waited for."""
    service.faults = [status(429, Retry_After="3600")]
    with waiting(service) as (client, waits, _), pytest.raises(InfrastructureError, match="left alone for 3,600 s"):
        client.ask(query())
    assert waits == [0.0]


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ([html] * 4, "gave no whole response in 4 tries; the last time: the response: no JSON, or cut off"),
        ([status(503)] * 4, "gave no whole response in 4 tries; the last time: HTTP 503 Service Unavailable."),
        ([refused], "refuses the query (HTTP 403 Forbidden: Please set a user agent.)."),
        ([status(400)], "refuses the query (HTTP 400 Bad Request: <html>No.</html>)."),
    ],
)
def test_it_gives_up_in_words(service: Service, faults: Sequence[Fault], words: str) -> None:
    """After the last try, and at once where another try cannot help, the error says what the server did."""
    service.faults = [*faults]
    with waiting(service) as (client, _, _), pytest.raises(InfrastructureError) as caught:
        client.ask(query())
    assert caught.value.message.startswith(f"{service.url} {words}")
    assert len(service.queries) == len(faults)


def test_no_server_is_told_in_words() -> None:
    """A refused connection is tried again and then named."""
    patience = Patience(delay=0, tries=2, jitter=lambda: 0.0)
    with (
        Client("http://127.0.0.1:9/sparql", "tests", patience, lambda _: None, lambda _: None) as client,
        pytest.raises(InfrastructureError, match="in 2 tries; the last time: the connection failed"),
    ):
        client.ask("SELECT")


@pytest.mark.parametrize(
    ("fault", "hinted"), [(status(504), True), (truncated, True), (status(502), False), (dropped, False)]
)
def test_a_smaller_page_is_advised_where_it_may_help(service: Service, fault: Fault, hinted: bool) -> None:
    """After time-outs and cut-off JSON, not after a broken connection."""
    service.faults = [fault]
    with waiting(service, tries=1) as (client, _, _), pytest.raises(InfrastructureError) as caught:
        client.ask(query())
    assert ("a smaller --page-size" in caught.value.hint) == hinted
