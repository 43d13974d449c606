"""Whole episodes through ``recfw run`` in a process that can import neither the simulator nor cv2 nor docker."""

import json
import subprocess
import sys
import textwrap

import pytest

CODE = """
import sys

BLOCKED = ("recfw_situated.simulator", "cv2", "docker")

class Block:
    tried = set()

    def find_spec(self, name, path=None, target=None):
        for blocked in BLOCKED:
            if name == blocked or name.startswith(blocked + "."):
                self.tried.add(blocked)
                raise ImportError(name)

assert not [name for name in sys.modules if name.startswith(BLOCKED)]
sys.meta_path.insert(0, Block())
from recfw.cli.main import main

try:
    main()
except SystemExit as error:
    code = error.code
loaded = [name for name in sys.modules if name.startswith(BLOCKED[0])]
assert not loaded, loaded
print(f"blocked {sorted(Block.tried)}, exit {code}", file=sys.stderr)
"""


@pytest.mark.parametrize("pictures", ["none", "all"])
def test_an_episode_is_played_with_simulator_cv2_and_docker_blocked(pictures, tmp_path):
    """A trial of each scene ends, with pictures and without; the client alone asks for cv2 and docker."""
    words = ["run", "--plugin", "situated", "--agent", "index-guided", "--tasks", "s01.1", "--tasks", "f01.1"]
    words += ["--workers", "0", "--json", "--quiet", "--store", str(tmp_path / "runs.db")]
    words += ["--set", f"track.pictures={pictures}"]
    words += ["--set", "limits.turns.agent=2"] if pictures == "all" else []
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CODE), *words], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "blocked ['cv2', 'docker'], exit 0" in done.stderr
    told = json.loads(done.stdout)
    assert (2, 0) == (told["completed"], told["failed"])
