"""Lets the tests of the documentation import :mod:`pages` and the examples, whatever import mode pytest is in."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "examples")]
