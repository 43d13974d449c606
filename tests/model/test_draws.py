"""Draws that last: known vectors, evenness, and values that must never change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.model.draws import Draws, derive_seed
from recfw.model.run import TrialKey

GOLDEN = {
    "seed": 7384063444492850032,
    "below": [3, 8, 7, 4, 7, 7, 0, 0],
    "random": 0.06293914299470627,
    "shuffle": "dacbhefg",
    "sample": "fegh",
    "weighted": "f",
}


def _from_state(state: int) -> Draws:
    draws = Draws(0)
    draws._state = state
    return draws


def test_known_vectors_of_splitmix64() -> None:
    """The generator is SplitMix64: the published reference outputs for seeds 0 and 1234567."""
    zero, other = _from_state(0), _from_state(1234567)
    assert [zero.bits() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [other.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_streams_do_not_change() -> None:
    """What was drawn once is drawn for ever: seeds, labels and every kind of draw."""
    draws = Draws(7, "trial", 3)
    items = list("abcdefgh")
    shuffled = list(items)
    Draws(7, "shuffle").shuffle(shuffled)
    assert derive_seed(7, "trial", 3) == GOLDEN["seed"]
    assert [draws.below(10) for _ in range(8)] == GOLDEN["below"]
    assert draws.random() == GOLDEN["random"]
    assert "".join(shuffled) == GOLDEN["shuffle"]
    assert "".join(Draws(7, "sample").sample(items, 4)) == GOLDEN["sample"]
    assert Draws(7, "weighted").weighted(items, range(8)) == GOLDEN["weighted"]


def test_parts_are_told_apart() -> None:
    """Seeds of ("a", "bc") and ("ab", "c") differ."""
    assert derive_seed("a", "bc") != derive_seed("ab", "c")


@given(st.lists(st.integers() | st.text(st.characters(codec="utf-8")), max_size=4))
def test_seeds_fit_a_signed_column(parts: list[int | str]) -> None:
    """Every seed is a whole number in [0, 2^63)."""
    assert 0 <= derive_seed(*parts) < 1 << 63


def test_a_trials_seed_does_not_depend_on_its_cell() -> None:
    """Cells share draws: a trial's seed is of run seed, task and trial number alone."""
    assert TrialKey("a", "t", 1).seed(3) == TrialKey("b", "t", 1).seed(3) == derive_seed(3, "t", 1)
    assert len({TrialKey("a", t, n).seed(s) for t in "tu" for n in (0, 1) for s in (0, 1)}) == 8


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10])
def test_below_is_even(n: int) -> None:
    """Whole numbers below n come equally often: chi-square over 20,000 draws stays under its 99.9 % point."""
    draws, counts, total = Draws(1, "even", n), [0] * n, 20_000
    for _ in range(total):
        counts[draws.below(n)] += 1
    chi = sum((count - total / n) ** 2 / (total / n) for count in counts)
    assert chi < {1: 1e-9, 2: 10.8, 3: 13.8, 7: 22.5, 10: 27.9}[n]


def test_below_has_no_modulo_bias() -> None:
    """Where 2^64 is no multiple of n the low numbers are no likelier: a third of the draws are in the first third."""
    draws, n = Draws(3), 3 << 62
    low = sum(draws.below(n) < n // 3 for _ in range(3000))
    assert low / 3000 == pytest.approx(1 / 3, abs=0.04)


def test_random_is_even() -> None:
    """Floats lie in [0, 1) and their mean and variance are those of the uniform distribution."""
    draws = Draws(5)
    values = [draws.random() for _ in range(20_000)]
    mean = sum(values) / len(values)
    assert 0 <= min(values) < max(values) < 1
    assert mean == pytest.approx(0.5, abs=0.01)
    assert sum((v - mean) ** 2 for v in values) / len(values) == pytest.approx(1 / 12, abs=0.003)


def test_weighted_follows_its_weights() -> None:
    """An item of three times the weight comes three times as often, one of weight 0 never."""
    draws = Draws(2)
    drawn = [draws.weighted("abc", (1, 0, 3)) for _ in range(10_000)]
    assert drawn.count("b") == 0
    assert drawn.count("c") / drawn.count("a") == pytest.approx(3, rel=0.1)


@given(st.integers(), st.lists(st.integers(), max_size=20))
def test_shuffle_keeps_the_items(seed: int, items: list[int]) -> None:
    """Shuffling loses and doubles nothing."""
    shuffled = list(items)
    Draws(seed).shuffle(shuffled)
    assert sorted(shuffled) == sorted(items)


@given(st.integers(), st.integers(0, 20), st.data())
def test_sample_draws_distinct_positions(seed: int, n: int, data: st.DataObject) -> None:
    """A sample of k holds k different positions."""
    k = data.draw(st.integers(0, n))
    assert len(set(Draws(seed).sample(range(n), k))) == k


@given(st.integers(), st.integers(-5, 5), st.integers(0, 9))
def test_between_holds_both_ends(seed: int, low: int, width: int) -> None:
    """A number between two ends is one of them or lies within."""
    assert low <= Draws(seed).between(low, low + width) <= low + width


@pytest.mark.parametrize("call", [lambda d: d.below(0), lambda d: d.choice([]), lambda d: d.sample([1], 2)])
def test_impossible_draws_are_refused(call) -> None:
    """Drawing from nothing, or more than there is, is a ValueError."""
    with pytest.raises(ValueError, match=r"below|draw"):
        call(Draws(1))
