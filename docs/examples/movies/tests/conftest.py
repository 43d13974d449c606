"""The fixture ``project`` (an empty folder in which to type commands), with recfw's small track ``sample`` loaded."""

import pytest

from recfw.testing.sample import MODULE

pytest_plugins = ["recfw.testing.project"]


@pytest.fixture(autouse=True)
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the track ``sample`` in every test, for components that bring no track."""
    monkeypatch.setenv("RECFW_PLUGINS", MODULE, prepend=",")
