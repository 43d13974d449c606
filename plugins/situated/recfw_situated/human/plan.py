"""The plan of a human evaluation: who plays which task with which assistant, under which letter, in which order."""

from collections.abc import Sequence
from random import Random
from string import ascii_uppercase

from attrs import frozen

from recfw.errors import UsageError

SEED = 42
PARTICIPANTS = 5
"""As many tasks as participants: each plays two adjacent ones, so that each task is played by two."""


@frozen
class Visit:
    """
    One interaction that is planned.

    Args:
        participant: Code of who plays.
        session: Which of the participant's interactions it is, from 1.
        task: The task.
        letter: What the assistant is called before the participant.
        assistant: The assistant; no participant is told.
    """

    participant: str
    session: int
    task: str
    letter: str
    assistant: str


def make_plan(
    bank: Sequence[str], assistants: Sequence[str], participants: int = PARTICIPANTS, seed: int = SEED
) -> tuple[Visit, ...]:
    """
    Draw a plan.

    The n-th participant plays the n-th task drawn and then the next one (the last one's next is the first), each with
    every assistant. Letters are drawn once and hold for all. Orders are the rows of a Williams design, one after the
    other: with five assistants and five participants each assistant stands twice in every place and follows every
    other one twice.

    Args:
        bank: The tasks to draw from, in the bank's order.
        assistants: Names of the assistants.
        participants: How many people, and so how many tasks.
        seed: Of the tasks and letters; the paper's is 42.

    Raises:
        UsageError: Too few or too many assistants or participants, or an assistant twice.
    """
    if len(set(assistants)) != len(assistants) or not 2 <= len(assistants) <= len(ascii_uppercase):
        raise UsageError(f"a plan needs 2 to {len(ascii_uppercase)} different assistants.", "Repeat --assistant NAME.")
    if not 2 <= participants <= len(bank):
        raise UsageError(f"--participants is {participants}; with {len(bank)} tasks it can be 2 to {len(bank)}.")
    draw = Random(seed)  # the paper's own seed; sample() and shuffle() have been the same since Python 3.11
    tasks = draw.sample(list(bank), participants)
    shuffled = list(assistants)
    draw.shuffle(shuffled)
    letters = dict(zip(shuffled, ascii_uppercase, strict=False))
    orders = williams(len(shuffled))
    visits = []
    for number in range(participants):
        code = f"P{number + 1:02d}"
        pair = (tasks[number], tasks[(number + 1) % participants])
        for place, task in enumerate(pair):
            order = orders[(2 * number + place) % len(orders)]
            for position, index in enumerate(order, 1):
                assistant = shuffled[index]
                session = place * len(shuffled) + position
                visits.append(Visit(code, session, task, letters[assistant], assistant))
    return tuple(visits)


def williams(n: int) -> list[list[int]]:
    """
    Return the rows of a Williams design: orders of n things, each equally often in every place and after every other.

    There are n rows for an even n, and 2n for an odd one.
    """
    first = [(step + 1) // 2 if step % 2 else (n - step // 2) % n for step in range(n)]
    rows = [[(start + offset) % n for offset in first] for start in range(n)]
    return rows if n % 2 == 0 else [*rows, *[row[::-1] for row in rows]]
