"""What the situated tests share."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from recfw_situated.scenes.load import load_scene
from recfw_situated.scenes.records import Scene

DATA = Path(__file__).parent / "data"

settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real data beside the checkout; skips only where there is no shared folder at all."""
    named = os.environ.get("RECFW_SHARED")
    shared = Path(named) if named else Path(__file__).resolve().parents[4] / "shared"
    if not shared.is_dir():
        pytest.skip(f"no shared data at {shared}")
    return shared / "data"


@pytest.fixture(scope="session")
def supermarket() -> Scene:
    """The supermarket."""
    return load_scene("supermarket")


@pytest.fixture(scope="session")
def furnishings() -> Scene:
    """The home furnishings store."""
    return load_scene("furnishings")


@pytest.fixture(scope="session", params=["supermarket", "furnishings"])
def scene(request: pytest.FixtureRequest) -> Scene:
    """Each of the two scenes in turn."""
    return load_scene(request.param)


@pytest.fixture(scope="session")
def corner_shop() -> Scene:
    """A tiny supermarket of one's own, made of data alone."""
    return load_scene(str(DATA / "corner_shop"))


@pytest.fixture(scope="session")
def lamp_shop() -> Scene:
    """A tiny furnishings store of one's own, made of data alone."""
    return load_scene(str(DATA / "lamp_shop"))


@pytest.fixture
def edited(tmp_path: Path) -> Callable[..., Path]:
    """Give a function that copies a tiny store and replaces text in one of its files; it returns the folder."""

    def edit(shop: str, file: str, *pairs: tuple[str, str]) -> Path:
        folder = tmp_path / shop
        shutil.copytree(DATA / shop, folder, dirs_exist_ok=True)
        text = (folder / file).read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        (folder / file).write_text(text, encoding="utf-8")
        return folder

    return edit
