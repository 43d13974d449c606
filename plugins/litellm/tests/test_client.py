"""Asking a model: deadlines, retries, what is excused, what is kept, and what components of one provider share."""

import asyncio
import gc
import time
from pathlib import Path

import pytest
from attrs import evolve
from fakes_client import ASKED, FAILED, KEY, QUICK, REFUSED, Said, Told, asking, client, raw

from recfw.engine.limits import Excuse
from recfw.protocols import Facilities
from recfw_litellm import client as module
from recfw_litellm.client import MOST_REFUSALS, Client, Tries, provider_of
from recfw_litellm.gate import Rates
from recfw_litellm.options import ModelOptions
from recfw_litellm.wire import Blame, Fault


async def deaf(request, seconds):
    """A transport that ignores its deadline and that it is cancelled."""
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            continue


async def slow(request, seconds):
    """A transport that keeps to its deadline."""
    await asyncio.sleep(seconds)
    raise Fault("timeout", Blame.RETRY, "No answer.")


def test_an_answer_tells_what_it_took() -> None:
    """What was sent back, seconds, attempts, cost."""
    made, transport = client(FAILED, raw(), input_price=1.0, output_price=1.0)
    (answered,) = asking(made)
    assert (raw(), 2, False, pytest.approx(120e-6)) == (
        answered.raw,
        answered.attempts,
        answered.cached,
        answered.cost,
    )
    assert [ASKED, ASKED] == transport.sent
    assert 0 <= answered.seconds < 0.2


def test_l21947_a_transport_that_ignores_its_deadline_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library whose time-out does nothing, and that swallows cancellation: a time-out all the same."""
    monkeypatch.setattr(module, "GRACE", 0.05)
    made, transport = client(deaf, retries=1, timeout=0.05)
    started = time.monotonic()
    (fault,) = asking(made)
    assert ("timeout", Blame.RETRY) == (fault.kind, fault.blame)
    assert time.monotonic() - started < 3.0
    assert 2 == len(transport.sent)


@pytest.mark.parametrize("raised", [ValueError("odd"), RecursionError(), KeyError("choices"), SystemExit(3)])
def test_whatever_a_transport_raises_is_no_fault_of_the_agents(raised: BaseException) -> None:
    """A bug of a client library is retried, and then infrastructure: it never reads as an agent's error."""
    made, transport = client(raised, retries=2)
    (fault,) = asking(made)
    assert ("transport", Blame.RETRY) == (fault.kind, fault.blame)
    assert 3 == len(transport.sent)


def test_what_no_json_can_hold_is_no_answer() -> None:
    """A transport that gives something that cannot be kept gave nothing."""
    (fault,) = asking(client({**raw(), "odd": object()}, retries=0)[0])
    assert "transport" == fault.kind


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_failure_is_retried_so_often_and_no_more(retries: int) -> None:
    """Retries are on top of the first attempt; the last failure is what is told."""
    made, transport = client(*[Fault("server_error", Blame.RETRY, f"no {n}") for n in range(9)], retries=retries)
    (fault,) = asking(made)
    assert (f"no {retries}", retries + 1) == (fault.words, len(transport.sent))


@pytest.mark.parametrize("blame", [Blame.FATAL, Blame.REQUEST, Blame.OVERFLOW, Blame.AGENT])
def test_what_no_retry_helps_is_not_retried(blame: Blame) -> None:
    """A refused key, a refused request, a context that is too long, a filter: once."""
    made, transport = client(Fault("kind", blame, "no"), raw())
    (fault,) = asking(made)
    assert (blame, 1) == (fault.blame, len(transport.sent))


def test_swe_bench_pro78_429_for_ever_ends_as_rate_limit() -> None:
    """When nothing is answered at all, refusals use up retries: the request fails, and says why."""
    made, transport = client(REFUSED, retries=3)
    (fault,) = asking(made)
    assert ("rate_limit", Blame.RETRY, 4) == (fault.kind, fault.blame, len(transport.sent))


def test_refusals_while_others_are_answered_use_up_no_retry() -> None:
    """A provider at its limit is waited for: twenty requests, one at a time, two retries, and all are answered."""
    busy = 0

    async def crowded(request, seconds):
        nonlocal busy
        if busy:
            raise REFUSED
        busy += 1
        await asyncio.sleep(0.002)
        busy -= 1
        return raw()

    made, transport = client(crowded, retries=2)

    async def play():
        async with made.open():
            asked = [evolve(ASKED, sample=(n,)) for n in range(20)]
            return await asyncio.gather(*map(made.ask, asked))

    assert 20 == len(asyncio.run(play()))
    assert 20 < len(transport.sent)


def test_a_request_that_is_always_refused_ends_though_others_are_answered() -> None:
    """There is a bound to patience."""
    tries = Tries(3)
    ended = []
    while not ended or not ended[-1]:
        tries.sent += 1
        ended.append(tries.failed(REFUSED, others=True))
    assert MOST_REFUSALS + 2 == len(ended)


def test_waiting_and_failed_attempts_are_excused_and_an_answer_is_not() -> None:
    """Back-off and the attempt that hung are nobody's time; the attempt that was answered is the model's own."""

    async def thinking(request, seconds):
        await asyncio.sleep(0.1)
        return raw()

    told = Told()
    made, _ = client(slow, thinking, timeout=0.15, max_wait=0.05)
    started = time.monotonic()
    (answered,) = asking(made, waits=told)
    own = time.monotonic() - started - told.forgiven - told.waited
    assert 0.2 <= told.waited < 0.4  # the attempt that hung, and the back-off
    assert 0.1 <= own < 0.2
    assert 0.1 <= answered.seconds < 0.2


def test_waiting_for_a_turn_is_excused_by_the_engine() -> None:
    """Behind three others at a gate for one, with the engine's own excuse: only the own request counts."""

    async def thinking(request, seconds):
        await asyncio.sleep(0.05)
        return raw()

    made, _ = client(thinking, concurrency=1, timeout=5)

    async def play():
        excuses = [Excuse(time.perf_counter) for _ in range(4)]
        started = time.perf_counter()
        own = []

        async def one(number: int) -> None:
            await made.ask(evolve(ASKED, sample=(number,)), excuses[number])
            own.append(time.perf_counter() - started - excuses[number].seconds())

        async with made.open():
            await asyncio.gather(*map(one, range(4)))
        return max(own)

    assert asyncio.run(play()) < 0.12


def test_limits_are_shared_by_components_that_name_one_provider() -> None:
    """Agent and user at one endpoint, spelt with or without a last slash: together no more than the tighter allows."""
    under_way, most = 0, 0

    async def counted(request, seconds):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.002)
        under_way -= 1
        return raw()

    agent, _ = client(counted, concurrency=3)
    user, _ = client(counted, concurrency=2, api_base=QUICK["api_base"] + "/")

    async def play():
        async with agent.open(), user.open():
            asked = [evolve(ASKED, sample=(n,)) for n in range(12)]
            await asyncio.gather(*map(agent.ask, asked), *map(user.ask, asked))

    asyncio.run(play())
    assert 2 == most


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"api_base": "http://a/v1"}, {"api_base": "http://a/v1"}, True),
        ({"api_base": "http://a/v1"}, {"api_base": "http://b/v1"}, False),
        ({"model": "openai/x"}, {"model": "openai/y"}, True),
        ({"model": "openai/x"}, {"model": "anthropic/x"}, False),
    ],
)
def test_what_names_a_provider(one: dict, other: dict, same: bool) -> None:
    """The address where there is one, or else what begins the model's name."""

    async def play():
        return provider_of(Said(), ModelOptions(**one), Rates()) is provider_of(Said(), ModelOptions(**other), Rates())

    assert same == asyncio.run(play())


def test_worker_processes_share_the_limits() -> None:
    """Of four processes each has a quarter."""

    async def play():
        made = Client(Said(), ModelOptions(**QUICK, concurrency=8, requests_per_minute=100), Facilities(processes=4))
        async with made.open():
            return made._provider.gate.rates

    assert Rates(2, 25, 0) == asyncio.run(play())


def test_a_first_burst_does_not_pass_a_limit_of_tokens() -> None:
    """Before any answer, requests are counted by their length: of ten long ones a minute's worth goes, not all."""
    long = evolve(ASKED, messages=({"role": "user", "content": "x" * 4000},))

    async def hanging(request, seconds):
        await asyncio.sleep(10)

    made, transport = client(hanging, tokens_per_minute=3500, timeout=20)

    async def play():
        async with made.open():
            tasks = [asyncio.create_task(made.ask(evolve(long, sample=(n,)))) for n in range(10)]
            await asyncio.sleep(0.05)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(play())
    assert 3 == len(transport.sent)


def test_pictures_are_not_counted_by_their_letters() -> None:
    """A data URL of a megabyte is no quarter of a million tokens."""
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 1_000_000}}
    shown = evolve(ASKED, messages=({"role": "user", "content": [picture, {"type": "text", "text": "What?"}]},))
    assert module.size_of(shown) < 300


@pytest.mark.parametrize("when", ["at the gate", "in the transport", "resting"])
def test_who_is_cancelled_leaves_no_place_taken(when: str) -> None:
    """An agent whose time is over gives its place back, wherever it is."""

    async def hanging(request, seconds):
        await asyncio.sleep(60)

    made, _ = client(FAILED if when == "resting" else hanging, concurrency=1, timeout=60, max_wait=60)

    async def play():
        async with made.open():
            tasks = [asyncio.create_task(made.ask(ASKED)) for _ in range(1 + (when == "at the gate"))]
            await asyncio.sleep(0.02)
            for task in reversed(tasks):
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            return made._provider.gate.under_way

    assert 0 == asyncio.run(play())


def test_a_refused_key_stops_all_that_wait_at_once() -> None:
    """Those at the gate, those that rest, those that come later: the same words, and nothing more is sent."""

    async def said(request, seconds):
        await asyncio.sleep(0.05)
        raise KEY if request.sample == (0,) else FAILED

    made, transport = client(said, concurrency=4, max_wait=60, retries=5)

    async def play():
        async with made.open():
            started = time.monotonic()
            asked = [evolve(ASKED, sample=(n,)) for n in range(12)]
            found = await asyncio.gather(*map(made.ask, asked), return_exceptions=True)
            found += await asyncio.gather(made.ask(evolve(ASKED, sample=(99,))), return_exceptions=True)
            return found, time.monotonic() - started

    found, seconds = asyncio.run(play())
    assert [("authentication", "HTTP 401: the key is refused")] * 13 == [(fault.kind, fault.words) for fault in found]
    assert 4 == len(transport.sent)
    assert seconds < 1.0


def test_a_refused_key_does_not_wait_for_a_rest_that_the_provider_wanted() -> None:
    """A provider that wants rest for a minute, and then refuses the key: who waits for the rest is told at once."""

    async def said(request, seconds):
        if request.sample == (0,):
            raise Fault("rate_limit", Blame.RETRY, "HTTP 429: too many", after=60.0)
        await asyncio.sleep(0.05)
        raise KEY

    made, transport = client(said, max_wait=60)

    async def play():
        async with made.open():
            started = time.monotonic()
            first = [asyncio.create_task(made.ask(evolve(ASKED, sample=(n,)))) for n in range(2)]
            await asyncio.sleep(0.01)
            later = [asyncio.create_task(made.ask(evolve(ASKED, sample=(n,)))) for n in range(2, 5)]
            found = await asyncio.gather(*first, *later, return_exceptions=True)
            return [fault.kind for fault in found], time.monotonic() - started

    kinds, seconds = asyncio.run(play())
    assert ["authentication"] * 5 == kinds
    assert 2 == len(transport.sent)
    assert seconds < 2.0


def test_two_who_ask_the_same_at_once_get_the_same(tmp_path: Path) -> None:
    """Both are answered, differently; what is kept is what both are told."""

    async def said(request, seconds):
        number = len(transport.sent)
        await asyncio.sleep(0.02 * number)
        return raw(f"answer {number}")

    made, transport = client(said, facilities=Facilities(str(tmp_path)))

    async def play():
        async with made.open():
            return await asyncio.gather(made.ask(ASKED), made.ask(ASKED))

    one, other = asyncio.run(play())
    assert (2, raw("answer 1"), raw("answer 1")) == (len(transport.sent), one.raw, other.raw)


def test_a_provider_that_is_down_ends_as_an_outage() -> None:
    """The breaker's words reach whoever asks, with the last failure in them."""
    made, transport = client(FAILED, breaker=5, breaker_seconds=0, retries=9)
    (fault,) = asking(made)
    assert ("outage", Blame.FATAL, 5) == (fault.kind, fault.blame, len(transport.sent))
    assert "5 requests in a row failed, the last one so: HTTP 500: no" in fault.words


def test_a_provider_that_was_down_is_asked_again_by_the_next_who_opens_it() -> None:
    """In the same loop: what broke the breaker is over once its client is closed, since a person may have acted."""
    transport = Said(KEY, raw())
    made = Client(transport, ModelOptions(**QUICK), Facilities())

    async def play():
        found = []
        for _ in range(2):
            async with made.open():
                found += await asyncio.gather(made.ask(ASKED), return_exceptions=True)
        return found

    fault, answered = asyncio.run(play())
    assert ("authentication", raw()) == (fault.kind, answered.raw)


def test_loops_that_are_over_are_forgotten() -> None:
    """A process that plays many runs holds nothing of those before."""
    for _ in range(5):
        asking(client()[0])
    gc.collect()
    assert 1 == len(module._PROVIDERS)


def test_the_transport_is_closed_whatever_happens() -> None:
    """Once opened, once closed; a client that is closed does not send."""
    made, transport = client(KEY)
    asking(made)
    assert 0 == transport.opened
    with pytest.raises(Fault, match="not open"):
        asyncio.run(made.ask(ASKED))
