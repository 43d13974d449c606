"""The harness that kills runs at random moments, in small; in large: python benchmarks/kills.py --kills 1000."""

import subprocess
import sys
from pathlib import Path

import pytest

KILLS = Path(__file__).parents[2] / "benchmarks" / "kills.py"


@pytest.mark.timeout(400)
def test_random_kills_lose_and_double_nothing() -> None:
    """A handful of kills of runs and workers at random moments is found to have lost and doubled nothing."""
    words = ("--kills", "3", "--short", "--track", "fake-rounds", "--workers", "2", "--seed", "3")
    done = subprocess.run([sys.executable, str(KILLS), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 done; series" in done.stdout
    assert done.stdout.endswith(" 0 faults.\n")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("words", [("--kills", "40"), ("--kills", "12", "--postgres"), ("--together", "2")])
def test_more_of_them(words: tuple[str, ...]) -> None:
    """All tracks, PostgreSQL, and commands at once."""
    done = subprocess.run([sys.executable, str(KILLS), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
