"""The plan of a human evaluation."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from recfw.errors import UsageError
from recfw_situated.human.plan import Visit, make_plan, williams
from recfw_situated.tasks.pool import shipped

FIVE = ("gemini", "gpt", "claude", "qwen", "four")
BANK = [task.id for task in shipped() if task.scene == "supermarket"]


@pytest.fixture(scope="module")
def plan() -> tuple[Visit, ...]:
    """The paper's plan: five participants, five assistants, seed 42."""
    return make_plan(BANK, FIVE)


def test_fifty_interactions_of_five_people(plan: tuple[Visit, ...]) -> None:
    """Each of five people plays ten, numbered from 1 to 10."""
    sessions = {code: [v.session for v in plan if v.participant == code] for code in {v.participant for v in plan}}
    assert (len(plan), sorted(map(sorted, sessions.values()))) == (50, [list(range(1, 11))] * 5)


def test_the_tasks_are_those_of_seed_42(plan: tuple[Visit, ...]) -> None:
    """Five of the hundred supermarket tasks, as random.Random(42) samples them."""
    assert list(dict.fromkeys(v.task for v in plan)) == Random(42).sample(BANK, 5)


def test_pairs_are_adjacent_and_cyclic(plan: tuple[Visit, ...]) -> None:
    """The n-th person has task n and the next; the last person ends with the first task."""
    tasks = Random(42).sample(BANK, 5)
    pairs = [list(dict.fromkeys(v.task for v in plan if v.participant == f"P{n:02d}")) for n in range(1, 6)]
    assert pairs == [[tasks[n], tasks[(n + 1) % 5]] for n in range(5)]


def test_each_task_is_played_by_two_people_with_every_assistant(plan: tuple[Visit, ...]) -> None:
    """Ten interactions a task, ten trajectories an assistant."""
    assert set(Counter(v.task for v in plan).values()) == {10}
    assert set(Counter((v.participant, v.task, v.assistant) for v in plan).values()) == {1}
    assert Counter(v.assistant for v in plan) == dict.fromkeys(FIVE, 10)


def test_a_letter_is_one_assistant(plan: tuple[Visit, ...]) -> None:
    """Letters A to E name the five, the same for all, and tell nothing of the order in which they were given."""
    letters = {v.letter: v.assistant for v in plan}
    assert (sorted(letters), len({(v.letter, v.assistant) for v in plan})) == (list("ABCDE"), 5)
    assert [letters[letter] for letter in "ABCDE"] != list(FIVE)


def test_orders_vary_and_are_balanced(plan: tuple[Visit, ...]) -> None:
    """Each assistant stands twice in each of the five places, and follows every other one twice."""
    orders = [[v.assistant for v in plan[start : start + 5]] for start in range(0, 50, 5)]
    places = Counter((place, name) for order in orders for place, name in enumerate(order))
    followed = Counter(pair for order in orders for pair in pairwise(order))
    assert (set(places.values()), len(places), set(followed.values()), len(followed)) == ({2}, 25, {2}, 20)


def test_the_same_seed_gives_the_same_plan(plan: tuple[Visit, ...]) -> None:
    """A plan can be written anew; another seed gives another one."""
    assert (make_plan(BANK, FIVE), make_plan(BANK, FIVE, seed=1) != plan) == (plan, True)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7])
def test_williams_designs_are_balanced(n: int) -> None:
    """Of any number of things each follows every other one equally often."""
    rows = williams(n)
    assert {tuple(sorted(row)) for row in rows} == {tuple(range(n))}
    assert len(set(Counter(pair for row in rows for pair in pairwise(row)).values())) == 1


@pytest.mark.parametrize(
    ("assistants", "participants", "words"),
    [(("a",), 5, "2 to 26 different"), (("a", "a"), 5, "2 to 26 different"), (FIVE, 1, "--participants is 1"),
     (FIVE, 101, "--participants is 101")],
)  # fmt: skip
def test_impossible_plans_are_refused(assistants: tuple[str, ...], participants: int, words: str) -> None:
    """Too few, too many or equal assistants or people."""
    with pytest.raises(UsageError, match=words):
        make_plan(BANK, assistants, participants)
