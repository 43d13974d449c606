"""What the tests of the agents share: the embedded world, opened once."""

import pytest

from recfw_orchestration.data.store import Data
from recfw_orchestration.world.embedded import embedded_store


@pytest.fixture(scope="session")
def world():
    """Return the embedded world."""
    data = Data.open(embedded_store())
    yield data
    data.close()
