"""Lets the tests of the documentation import :mod:`pages`, whatever import mode pytest is in."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
