"""Lets the tests of reports import builders of stored results and of trajectories."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # --import-mode=importlib leaves sys.path alone
sys.path.insert(0, str(Path(__file__).parents[1] / "metrics"))
