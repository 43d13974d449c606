"""Importing the public client where what it drags in is missing."""

import subprocess
import sys

BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"cv2", "docker"}:
            raise ImportError("libGL.so.1: cannot open shared object file")
sys.meta_path.insert(0, Block())
from recfw_situated.driver.quiet import quiet_client
client = quiet_client()
import unrealcv
assert issubclass(client, unrealcv.Client)
assert not {"cv2", "docker"} & set(sys.modules)
"""


def test_the_client_works_with_cv2_and_docker_blocked():
    """With both modules unimportable the client is imported, in silence, and no placeholder is left for others."""
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
