"""The fixture ``provider``: a stub provider that serves while a test runs."""

from collections.abc import Iterator

import pytest

from recfw.testing.provider.server import StubProvider


@pytest.fixture
def provider() -> Iterator[StubProvider]:
    """Give a stub in a thread of its own; ``provider.change(...)`` says how it behaves."""
    with StubProvider() as stub:
        yield stub
