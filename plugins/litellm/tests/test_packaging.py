"""The distribution: pins, hashes, and what the registry says."""

import configparser
import re
import sysconfig
from importlib.metadata import version
from pathlib import Path

import yaml

from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw_litellm.transports.litellm import PINNED

FOLDER = Path(__file__).parents[1]
ROOT = FOLDER.parents[1]
CONFIG = configparser.ConfigParser()
CONFIG.read(FOLDER / "setup.cfg", encoding="utf-8")
NEEDS = CONFIG["options"]["install_requires"].split()
LOCK = (FOLDER / "requirements.lock").read_text(encoding="utf-8")

KNOWN_PTH = re.compile(r"(__editable__\..*|_?virtualenv|distutils-precedence|matplotlib-.*-nspkg|_?coverage.*)\.pth")


def test_one_release_is_pinned():
    """setup.cfg, the lock file, the component's version and the environment name the same release of litellm."""
    assert f"litellm=={PINNED}" in NEEDS
    assert f"\nlitellm=={PINNED} \\\n" in LOCK
    assert PINNED == version("litellm")


def test_everything_is_locked_by_hash():
    """Each release in the lock file has hashes; the client libraries are among them."""
    blocks = [block for block in re.split(r"\n(?=[a-z])", LOCK) if not block.startswith("#")]
    assert [] == [block for block in blocks if "--hash=sha256:" not in block]
    names = {re.split(r"[=\[]", block)[0] for block in blocks}
    assert {"aiohttp", "httpx", "litellm", "openai", "pydantic"} <= names
    assert len(blocks) > 40


def test_the_environment_holds_no_unknown_path_files():
    """No .pth file, by which releases that were tampered with ran code at every start, is there unknown."""
    found = [path.name for path in Path(sysconfig.get_path("purelib")).glob("*.pth")]
    assert [] == [name for name in found if not KNOWN_PTH.fullmatch(name)]
    assert not (Path(sysconfig.get_path("purelib")) / "sitecustomize.py").exists()


def test_the_registry_names_what_is_offered():
    """registry.yaml lists exactly the components that the plugin offers."""
    listed = yaml.safe_load((ROOT / "registry.yaml").read_text(encoding="utf-8"))["plugins"]["litellm"]
    registry = Registry(build_manager({}))
    offered = {}
    for kind in ("agents", "users", "participants", "judges"):
        names = registry.names(kind)
        offered[kind] = [name for name in names if registry.provider(kind, name).name == "litellm"]
    assert ("stable", offered) == (listed["status"], listed["provides"])


def test_every_dependency_is_explained():
    """The README has a row for each dependency."""
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    names = [re.split(r"[<>=]", need)[0] for need in NEEDS]
    assert [] == [name for name in names if f"| {name} |" not in readme]
