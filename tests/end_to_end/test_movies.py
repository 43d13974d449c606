"""The example of a stranger's track, docs/examples/movies: its wheel, installed with core's outside the checkout."""

import pytest

pytestmark = pytest.mark.timeout(300)
FEW = ("--tasks", "seen-01-*", "--tasks", "barred-16-*", "--agent", "movies-careful", "--agent", "movies-shy")
TYPING = "test_a_run_is_replayed_resumed_submitted_and_verified"  # six processes, the first two of them typed here


def typed(place, *words):
    """Return what a command that must succeed prints."""
    done = place.run(*words)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def test_a_stranger_s_track_from_its_wheel(with_movies):
    """It runs, replays without a difference, passes its own tests, and `recfw plugins check` finds nothing wrong."""
    assert "policies, where they applied" in typed(with_movies, "recfw", "run", "--plugin", "movies", *FEW)
    assert "12 trials replayed, no difference" in typed(with_movies, "recfw", "replay")
    tests = typed(with_movies, "python", "-m", "pytest", "-q", "tests", "-k", f"not {TYPING}")
    assert " passed, 1 deselected" in tests
    assert "nothing wrong" in typed(with_movies, "recfw", "plugins", "check", "movies")
