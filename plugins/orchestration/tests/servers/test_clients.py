"""The desk: opened once, closed by the tasks that opened it, and answering whatever comes."""

import asyncio
import logging
import threading
import time

import pytest
from samples import CALLS
from small import SmallData

from recfw.errors import InfrastructureError
from recfw_orchestration.data.records import Tip
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.servers.clients import open_servers


class Faulty(SmallData):
    """A store whose disk fails."""

    def page(self, page_id):
        raise OSError("/secret/path: input/output error")


class Large(SmallData):
    """A store so large that it is asked in threads; one of its pages takes its time."""

    def count(self, table, domain):
        return 1_000_000

    def page(self, page_id):
        if page_id == "slow":
            self.asked.set()
            self.released.wait(20)
        return super().page(page_id)

    def __init__(self):
        self.asked, self.released = threading.Event(), threading.Event()


def test_all_tools_are_there_in_the_servers_order(answering):
    """Server by server."""
    expected = [tool for spec in SERVERS.values() for tool in spec.tools]
    assert [tool.name for tool in answering.desk.tools()] == expected


def test_some_servers_can_be_opened_alone():
    """Others' tools are unknown then."""

    async def main():
        async with open_servers(SmallData(), ["web-search"]) as desk:
            known, unknown = await desk.call("read_page", {"page_id": "w1"}, 5), await desk.call("check_open", {}, 5)
            return len(desk.tools()), known.is_error, unknown.is_error

    assert asyncio.run(main()) == (2, False, True)


def test_a_thousand_calls_at_once_are_all_answered(answering):
    """Each with its own answer, valid and invalid ones side by side."""

    async def main():
        async with open_servers(SmallData()) as desk:
            calls = [(tool, CALLS[tool]) for tool in CALLS] + [("read_page", {"page_id": n}) for n in range(8)]
            return [(await asyncio.gather(*(desk.call(*calls[n % 40], 30) for n in range(1000)))), calls]

    outcomes, calls = asyncio.run(main())
    expected = [answering.call(*calls[n % 40]) for n in range(40)]
    assert [outcome == expected[n % 40] for n, outcome in enumerate(outcomes)] == [True] * 1000


def test_each_client_is_closed_by_the_task_that_opened_it():
    """Nothing is left running, whoever leaves the block."""

    async def main():
        before = asyncio.all_tasks()
        opened = open_servers(SmallData())
        desk = await asyncio.create_task(opened.__aenter__())
        inside = len(asyncio.all_tasks() - before) >= len(SERVERS)
        outcome = await desk.call("read_page", {"page_id": "w1"}, 5)
        await asyncio.create_task(opened.__aexit__(None, None, None))
        return inside, outcome.is_error, asyncio.all_tasks() - before

    assert asyncio.run(main()) == (True, False, set())


def test_what_fails_within_the_block_closes_the_servers_too():
    """The error comes through unchanged."""

    async def main():
        with pytest.raises(ZeroDivisionError):
            async with open_servers(SmallData()):
                raise ZeroDivisionError
        return len(asyncio.all_tasks())

    assert asyncio.run(main()) == 1


def test_a_server_that_cannot_be_built_is_named(monkeypatch):
    """The others are closed again."""
    from recfw_orchestration.servers import yelp_geo

    def fail(data):
        raise ValueError("no coordinates")

    async def main():
        with pytest.raises(InfrastructureError) as caught:
            async with open_servers(SmallData()):
                raise AssertionError
        return str(caught.value), len(asyncio.all_tasks())

    monkeypatch.setattr(yelp_geo, "build", fail)
    expected = "The server 'yelp-geo' did not open: ValueError: no coordinates."
    assert asyncio.run(main()) == (expected, 1)


def test_a_slow_answer_of_a_large_store_holds_up_nobody():
    """Other calls are answered meanwhile, and at its deadline the caller is freed."""
    data = Large()

    async def main():
        async with open_servers(data, ["web-search"]) as desk:
            slow = asyncio.create_task(desk.call("read_page", {"page_id": "slow"}, 0.5))
            await asyncio.to_thread(data.asked.wait, 20)
            other = await desk.call("read_page", {"page_id": "w1"}, 20)
            return other.is_error, slow.done(), await slow

    try:
        other, early, outcome = asyncio.run(main())
    finally:
        data.released.set()
    assert (other, early, outcome.is_error, outcome.text) == (
        False,
        False,
        True,
        "read_page took longer than 0.5 s and was given up.",
    )


def test_a_large_store_answers_the_same(answering):
    """Threads change nothing of an answer."""

    async def main():
        async with open_servers(Large()) as desk:
            return [await desk.call(tool, arguments, 20) for tool, arguments in CALLS.items()]

    assert asyncio.run(main()) == [answering.call(tool, arguments) for tool, arguments in CALLS.items()]


def test_a_result_that_breaks_its_schema_is_the_servers_fault(monkeypatch):
    """It raises, since no caller can help it."""

    async def main():
        async with open_servers(SmallData(), ["yelp-reviews"]) as desk:
            await desk.call("get_business_tips", {"item_id": "b1"}, 5)

    monkeypatch.setattr(SmallData, "tips_of", lambda *_: [Tip("b1", "u2", 7, "2024-01-05T12:00", 3)])
    with pytest.raises(InfrastructureError, match="get_business_tips broke its own schema"):
        asyncio.run(main())


def test_a_fault_of_the_server_is_nobodys_but_its_own(caplog):
    """It raises as infrastructure's, without traceback or path; the log has them."""

    async def main():
        async with open_servers(Faulty(), ["web-search"]) as desk:
            await desk.call("read_page", {"page_id": "w1"}, 5)

    with pytest.raises(InfrastructureError) as caught:
        asyncio.run(main())
    assert str(caught.value) == (
        "read_page failed by a fault of its own; other calls are answered. The log has what happened."
    )
    assert "/secret/path" in caplog.text


def test_the_log_of_the_process_stays_as_it_was():
    """The SDK would put a handler of its own on the root logger."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    root.handlers.clear()
    try:
        SERVERS["web-search"].build(SmallData())
        assert (root.handlers, root.level) == ([], level)
    finally:
        root.handlers[:] = before


def test_all_servers_open_in_half_a_second_of_work():
    """Once the SDK is imported."""
    for spec in SERVERS.values():
        spec.build(SmallData())

    async def main():
        async with open_servers(SmallData()) as desk:
            return len(desk.tools())

    started = time.process_time()
    tools = asyncio.run(main())
    assert (tools, time.process_time() - started < 0.5) == (32, True)
