"""How fast and how long: words for fast and slow work, and no guess before there is anything to go by."""

import pytest

from recfw.cli import progress
from recfw.cli.pace import pace_words, rate_words


@pytest.mark.parametrize(
    ("rate", "words"),
    [(250.0, "250.0/s"), (1.0, "1.0/s"), (0.999, "60/min"), (0.4, "24/min"), (0.1, "6.0/min"), (1 / 90, "1m30s each")],
)
def test_a_slow_rate_has_a_unit_of_its_own(rate: float, words: str) -> None:
    """It is never 0.0/s."""
    assert rate_words(rate) == words


@pytest.mark.parametrize(
    ("done", "seconds", "words"),
    [(1, 20.0, "3.0/min"), (7, 40.0, "10/min"), (8, 40.0, "12/min, 1m20s left"), (24, 120.0, "12/min")],
)
def test_what_is_left_is_told_once_every_lane_has_ended_one(done: int, seconds: float, words: str) -> None:
    """Before, those under way would count as not begun; when all are done there is nothing left."""
    assert pace_words(done, 24, seconds, lanes=8) == words


def test_lines_tell_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """One now and then, where standard error is no terminal."""
    clock = iter([0.0, 6.0, 12.0, 18.0, 26.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    said: list[str] = []
    monkeypatch.setattr(progress, "tell", said.append)
    with progress.progress("trials", 8, 2) as shown:
        for number in range(4):
            shown.step(failed=number == 0)
    assert said == ["2/8 trials, 1 failed, 10/min, 36s left", "4/8 trials, 1 failed, 9.2/min, 26s left"]
