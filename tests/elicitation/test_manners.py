"""How rule-based users behave beyond the disclosure rules: critiques, patience, preferences."""

import pytest

from recfw.elicitation import Answer, Disclosure, Fact, Predicate, Preference
from recfw.elicitation.manners import Costly, Critiquing, Plain, Soft, Turn, has_left
from recfw.errors import UsageError

FIELDS = ("kind", "tongue", "place", "size", "delivery")
STATED = Predicate("kind", "contains", "odd", "stated")
ASKED = Predicate("size", "<=", 9, "on_ask")
HIDDEN = Predicate("tongue", "==", "latin", "hidden")
DELIVERY = Fact("delivery", ("post",), "on_ask")
RULES = Disclosure(FIELDS, (STATED, ASKED, HIDDEN), (DELIVERY,))

STRONG = Preference(Predicate("place", "==", "there", "on_ask"), 3)
SECRET = Preference(Predicate("size", ">=", 4, "hidden"), 1)


def rejected(*violated: Predicate | Fact, asked: tuple[str, ...] = ()) -> Turn:
    """Return a turn whose proposal missed requirements."""
    return Turn(asked, "rejected", violated)


def test_plain_keeps_to_the_rules() -> None:
    """The answer is that of the disclosure rules, whatever was violated."""
    assert Plain(RULES).answer(rejected(HIDDEN, asked=("size",))) == RULES.ask(("size",))


def test_one_requirement_a_rejected_proposal_in_the_goals_order() -> None:
    """Of the requirements that a proposal misses, the first that was not told is stated; the next at the next one."""
    user = Critiquing(RULES)
    turns = [rejected(STATED, ASKED, HIDDEN, DELIVERY) for _ in range(4)]
    assert [user.answer(turn).critiqued for turn in turns] == [(ASKED,), (HIDDEN,), (DELIVERY,), ()]


def test_what_was_told_in_answer_is_not_critiqued() -> None:
    """A requirement that the same or an earlier reply told is passed over."""
    user = Critiquing(RULES)
    assert user.answer(rejected(ASKED, HIDDEN, asked=("size",))).critiqued == (HIDDEN,)
    assert user.answer(rejected(ASKED)).critiqued == ()


def test_an_accepted_proposal_draws_no_critique() -> None:
    """Without a rejection nothing is stated."""
    user = Critiquing(RULES)
    assert user.answer(Turn((), "accepted", (HIDDEN,))).critiqued == ()
    assert user.answer(Turn((), None, (HIDDEN,))).critiqued == ()


def test_a_critiqued_field_is_told_when_asked_and_no_longer_declined() -> None:
    """From the critique on, a hidden requirement is one that is told when its field is asked about."""
    user = Critiquing(RULES)
    assert user.answer(Turn(("tongue",))).declined == ("tongue",)
    assert user.answer(rejected(HIDDEN, asked=("tongue",))).declined == ()
    later = user.answer(Turn(("tongue",)))
    assert [p.value for p in later.revealed] == ["latin"]
    assert later.declined == ()


def test_each_field_costs_one_and_the_first_are_answered() -> None:
    """A turn that asks about more than is left is answered in the order of fields; it says that this is enough."""
    user = Costly(RULES, 2)
    answer = user.answer(Turn(("size", "place", "tongue")))
    assert (answer.declined, answer.no_preference) == (("tongue",), ("place",))
    assert (answer.unanswered, answer.spent, answer.left) == (("size",), True, False)
    assert user.report(answer) == {"patience": {"of": 2, "used": 2}, "unanswered": ["size"], "left": False}


def test_a_question_beyond_patience_makes_it_leave() -> None:
    """After the warning, one more question ends it; words without a question do not."""
    user = Costly(RULES, 1)
    user.answer(Turn(("size",)))
    assert user.answer(Turn()) == Answer()
    left = user.answer(Turn(("size",)))
    assert left == Answer(unanswered=("size",), left=True)
    assert has_left(user.report(left))


def test_it_may_stay_without_an_answer() -> None:
    """A user that does not leave answers no more, and says so each time."""
    user = Costly(RULES, 1, leaves=False)
    assert user.answer(Turn(("size",))).revealed == (ASKED,)
    assert user.answer(Turn(("size",))) == Answer(unanswered=("size",))


def test_an_accepted_proposal_keeps_it() -> None:
    """Who has what it wants does not leave over a question in the same turn."""
    assert not Costly(RULES, 0).answer(Turn(("size",), "accepted")).left
    assert Costly(RULES, 0).answer(Turn(("size",), "rejected")).left


def test_asking_again_costs_again() -> None:
    """The same field asked about twice is paid for twice."""
    user = Costly(RULES, 3)
    for _ in range(2):
        answer = user.answer(Turn(("size",)))
    assert user.report(answer)["patience"] == {"of": 3, "used": 2}


def test_a_negative_patience_is_refused() -> None:
    """Patience is 0 or more."""
    with pytest.raises(UsageError, match=r"a patience of -1 questions cannot be\. Use 0 or more\."):
        Costly(RULES, -1)


def test_a_preference_is_told_when_asked() -> None:
    """A field with a preference is neither without preference nor settled; a hidden preference is never told."""
    user = Soft(RULES, (STRONG, SECRET))
    answer = user.answer(Turn(FIELDS))
    assert answer.preferred == (STRONG,)
    assert answer.no_preference == ()
    assert user.report(answer) == {"preferred": [{"field": "place", "op": "==", "value": "there", "weight": 3}]}


def test_an_accepted_proposal_is_graded() -> None:
    """The grade is spoken of an accepted proposal alone."""
    user = Soft(RULES, (STRONG,))
    assert user.answer(Turn((), "accepted", grade=0.25)).pleased == 0.25
    assert user.answer(Turn((), "rejected", grade=0.25)).pleased is None


@pytest.mark.parametrize("data", [None, [], "left", {}, {"left": "yes"}, {"left": 1}, {"left": False}])
def test_only_a_clear_word_is_leaving(data: object) -> None:
    """Nothing but ``left: true`` in a reply's data ends an episode."""
    assert not has_left(data)
