"""The runner's side works with the simulator unimportable: what it knows of the world came through the port."""

import subprocess
import sys
import textwrap

CODE = """
import asyncio, sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("recfw_situated.simulator"):
            raise ImportError(name)

sys.meta_path.insert(0, Block())
from recfw_situated.driver.pool import Stores
from recfw_situated.scenes.load import load_scene
from recfw_situated.views.looking import annotated, look
from recfw_situated.views.observe import Labeller
from recfw_situated.views.sights import Eyes
import recfw_situated.cli.check, recfw_situated.cli.view

async def go():
    scene = load_scene("furnishings")
    eyes = Eyes(scene)
    async with Stores(scene) as stores, stores.lend() as store:
        sights = await look(store, eyes, await store.pose())
        picture = await annotated(store, eyes, sights, Labeller(scene).observe(sights, "assistant"))
        return len(sights.all) > 0 and picture.startswith(b"\\x89PNG")

assert asyncio.run(go())
assert not [name for name in sys.modules if name.startswith("recfw_situated.simulator")]
"""


def test_a_store_is_looked_at_with_the_simulator_blocked():
    """Driver, views and commands import nothing of the simulator; it runs in its own process only."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(CODE)], capture_output=True, text=True, timeout=90)
    assert (done.returncode, done.stderr) == (0, "")
