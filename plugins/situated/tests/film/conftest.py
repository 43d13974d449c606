"""Lets these tests import the builders of trajectories."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "metrics"))  # --import-mode=importlib leaves sys.path alone
