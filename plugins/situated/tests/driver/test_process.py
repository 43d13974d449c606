"""Simulators as processes: started on free ports, lent to one episode each, and never left behind."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from recfw.errors import InfrastructureError
from recfw_situated.driver.pool import Stores
from recfw_situated.driver.process import start
from recfw_situated.scenes.load import load_scene


def alive(pid):
    """Tell whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pid, seconds=10.0):
    """Tell whether a process ends in time."""
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive(pid)


def test_several_simulators_run_side_by_side_and_end_with_their_pool():
    """Each episode under way has a store of its own at a port of its own; none is left."""

    async def go():
        async with Stores(load_scene("furnishings")) as stores, stores.lend() as one, stores.lend() as two:
            poses = [await one.move(50.0, 0.0), await two.pose()]
            pids = [served.process.pid for served in stores.running]
            return one.link.port != two.link.port, poses[0].pose != poses[1], pids

    apart, own, pids = asyncio.run(go())
    assert (apart, own, len(pids), [gone(pid) for pid in pids]) == (True, True, 2, [True, True])


def test_a_store_is_lent_again_with_everything_in_its_place():
    """The next episode gets the same simulator, reset."""

    async def go():
        async with Stores(load_scene("furnishings")) as stores:
            async with stores.lend() as store:
                await store.move(100.0, 0.0)
                await store.show_item(store.scene.instances[0].id)
                first = store.link.port
            async with stores.lend() as store:
                return store.link.port == first, await store.pose() == store.scene.start, store.shown

    assert asyncio.run(go()) == (True, True, "")


def test_a_store_whose_episode_failed_is_not_lent_again():
    """After a failure the simulator is ended, and the next episode gets a new one."""

    async def go():
        async with Stores(load_scene("furnishings")) as stores:
            with contextlib.suppress(InfrastructureError):
                async with stores.lend() as store:
                    (served,) = stores.running
                    os.kill(served.process.pid, signal.SIGKILL)
                    await store.pose()
            async with stores.lend() as store:
                return gone(served.process.pid), await store.pose() == store.scene.start

    assert asyncio.run(go()) == (True, True)


def test_a_simulator_that_dies_between_episodes_is_replaced():
    """A dead simulator in the pool costs no trial."""

    async def go():
        async with Stores(load_scene("furnishings")) as stores:
            async with stores.lend():
                (served,) = stores.running
            os.kill(served.process.pid, signal.SIGKILL)
            served.process.wait()
            async with stores.lend() as store:
                return await store.pose() == store.scene.start

    assert asyncio.run(go())


def test_cancelling_an_episode_ends_its_simulator():
    """A cancelled run leaves no process behind."""

    async def go():
        pids = []

        async def episode():
            async with Stores(load_scene("furnishings")) as stores, stores.lend():
                pids.append(next(iter(stores.running)).process.pid)
                await asyncio.sleep(60)

        task = asyncio.create_task(episode())
        while not pids:
            await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return pids

    (pid,) = asyncio.run(go())
    assert gone(pid)


def test_killing_the_runner_leaves_no_simulator():
    """A runner that is killed with -9 cannot clean up; its simulator ends by itself."""
    code = """
        import asyncio
        from recfw_situated.driver.pool import Stores
        from recfw_situated.scenes.load import load_scene

        async def go():
            async with Stores(load_scene("furnishings")) as stores, stores.lend():
                print(next(iter(stores.running)).process.pid, flush=True)
                await asyncio.sleep(60)

        asyncio.run(go())
    """
    runner = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE)
    pid = int(runner.stdout.readline())
    assert alive(pid)
    runner.kill()
    runner.wait()
    runner.stdout.close()
    assert gone(pid)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; sys.exit('no such thing')", "no such thing"),
        ("print('hello')", "ended, or said something else"),
        ("import time; time.sleep(60)", "was not ready within"),
    ],
)
def test_a_simulator_that_does_not_start_is_told_in_words(code, words):
    """What it said on stderr is quoted, with the command to try by hand; it is not left running."""

    async def go():
        with pytest.raises(InfrastructureError, match=words) as caught:
            await start("furnishings", [sys.executable, "-c", code], seconds=1.0)
        return caught.value.hint

    assert "recfw situated serve --scene furnishings" in asyncio.run(go())


def test_a_given_address_is_shared_one_episode_at_a_time(serve):
    """With one server two episodes take turns."""
    server, seen = serve(lacks=["^vbp"]), []

    async def go():
        async with Stores(server.scene, (("127.0.0.1", server.port),)) as stores:

            async def episode(name):
                async with stores.lend():
                    seen.append((name, "in"))
                    await asyncio.sleep(0.05)
                    seen.append((name, "out"))

            await asyncio.gather(episode("a"), episode("b"))

    asyncio.run(go())
    assert seen == [("a", "in"), ("a", "out"), ("b", "in"), ("b", "out")]
