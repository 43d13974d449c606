"""What it costs to look analyses, metrics and renderers up."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("recfw.builtin.summary", ["numpy", "scipy", "sqlmodel", "rich"]),
        ("recfw.builtin.compare", ["numpy", "scipy", "sqlmodel", "rich"]),
        ("recfw.builtin.metrics", ["numpy", "scipy", "sqlmodel", "rich"]),
        ("recfw.report.render_terminal", ["numpy", "scipy", "sqlmodel"]),
    ],
)
def test_registering_loads_nothing_heavy(module: str, heavy: list[str]) -> None:
    """Listing what core offers loads neither statistics nor the store."""
    code = f"import sys, {module}; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
