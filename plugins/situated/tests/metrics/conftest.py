"""Lets the tests of figures import their builders of trajectories."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # --import-mode=importlib leaves sys.path alone
