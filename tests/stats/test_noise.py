"""The noise floor: hand-computed variances, floors and flips, and what single trials do not tell."""

import random
from math import sqrt
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.stats.noise import TrialNoise, noise_floor, trial_noise

Z = 1.959963984540054
TRIALS = st.lists(st.sampled_from([0.0, 1.0, 1 / 3]), min_size=0, max_size=4)


def test_variance_of_a_task_is_that_of_its_mean() -> None:
    """One success in two trials has variance 0.5, and so the mean of the two 0.25; equal trials have none."""
    found = trial_noise({"a": [1.0, 0.0], "b": [1.0, 1.0], "c": []})
    assert found == TrialNoise(2, 2, 1, {"a": 0.25, "b": 0.0})
    assert found.flip_rate == 0.5


def test_single_trial_takes_the_usual_variance() -> None:
    """A task with one trial is given the mean variance of the repeated ones, undivided."""
    found = trial_noise({"a": [1.0, 0.0], "b": [1.0, 1.0], "c": [0.0]})
    assert found == TrialNoise(3, 2, 1, {"a": 0.25, "b": 0.0, "c": 0.25})


def test_single_trials_tell_nothing() -> None:
    """Without a repeated task there is no variance, no flip rate and no floor, on whichever side."""
    single, repeated = trial_noise({"a": [1.0]}), trial_noise({"a": [1.0, 0.0]})
    assert (single.variances, single.flip_rate) == ({}, None)
    assert [noise_floor(*sides, ["a"]) for sides in [(single, repeated), (repeated, single)]] == [None, None]


def test_floor_by_hand() -> None:
    """Two runs of two tasks, one of which flips: 1.96 sqrt(0.25 + 0.25) / 2."""
    noise = trial_noise({"a": [1.0, 0.0], "b": [1.0, 1.0]})
    assert noise_floor(noise, noise, ["a", "b"]) == pytest.approx(Z * sqrt(0.5) / 2, rel=1e-12)
    assert noise_floor(noise, noise, ["b"]) == 0.0
    assert noise_floor(noise, noise, []) is None


def test_floor_holds_what_it_says() -> None:
    """Two runs of an agent that succeeds by chance differ by more than the floor in about 5 of 100 cases."""
    draws = random.Random(3)
    chances = [draws.random() for _ in range(60)]

    def run() -> dict[str, list[float]]:
        return {str(n): [float(draws.random() < chance) for _ in range(4)] for n, chance in enumerate(chances)}

    def mean(trials: dict[str, list[float]]) -> float:
        return fmean(fmean(values) for values in trials.values())

    beyond = 0
    for _ in range(400):
        first, second = run(), run()
        floor = noise_floor(trial_noise(first), trial_noise(second), list(first))
        assert floor is not None
        beyond += abs(mean(first) - mean(second)) > floor
    assert 0.02 < beyond / 400 < 0.09


@given(values=st.dictionaries(st.sampled_from("abcdef"), TRIALS), seed=st.integers(0, 9))
def test_agrees_with_the_textbook_in_any_order(values: dict[str, list[float]], seed: int) -> None:
    """Variances are those of the standard library, whatever the order of tasks and trials."""
    found = trial_noise(values)
    shuffled = {task: values[task] for task in random.Random(seed).sample(sorted(values), len(values))}
    for trials in shuffled.values():
        random.Random(seed).shuffle(trials)
    assert trial_noise(shuffled) == found
    repeated = [task for task, trials in values.items() if len(trials) > 1]
    assert found.n_repeated == len(repeated)
    for task in repeated:
        assert found.variances[task] == pytest.approx(variance(values[task]) / len(values[task]), abs=1e-15)
