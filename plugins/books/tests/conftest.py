"""What the books tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session", autouse=True)
def whole_lines() -> Iterator[None]:
    """Let no terminal's width reach the tests (tox hands on its own): what is printed is not wrapped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real data beside the checkout; skips only where there is no shared folder at all."""
    named = os.environ.get("RECFW_SHARED")
    shared = Path(named) if named else Path(__file__).resolve().parents[4] / "shared"
    if not shared.is_dir():
        pytest.skip(f"no shared data at {shared}")
    return shared / "data"
