"""How the books track's View is read and its users' answers are worded: the voice of all its rule-based users."""

from collections.abc import Collection
from typing import Any

from recfw.elicitation import Answer, Disclosure, Fact, Predicate, Preference
from recfw.elicitation.records import read_predicate, read_preference
from recfw.elicitation.users import Facts, Voice
from recfw_books.disclosed import report
from recfw_books.goal import Goal
from recfw_books.user.matcher import asked_fields
from recfw_books.user.wording import opening_text, reply_text


class BooksVoice(Voice):
    """Hears by the matcher, speaks the sentences of :mod:`recfw_books.user.wording`, reports as the trace keeps it."""

    def opening(self, facts: Facts) -> Answer:
        """Return what an opening states, from the View's public facts alone."""
        formats = facts["stated_formats"]
        return Answer(
            revealed=tuple(read_predicate(data) for data in facts["opening"]),
            extras=() if formats is None else (Fact("format", formats),),
        )

    def disclosure(self, facts: Facts) -> Disclosure:
        """Return the rules of the goal; the formats are a fact beside its predicates."""
        return Goal.read(facts["goal"]).disclosure()

    def preferences(self, facts: Facts) -> tuple[Preference, ...]:
        """Return the preferences that the environment drew for the family."""
        return tuple(read_preference(data) for data in facts.get("preferences", ()))

    def asked(self, facts: Facts) -> Collection[str]:
        """Return the fields that the matcher finds."""
        return asked_fields(facts["agent_text"])

    def opening_text(self, answer: Answer) -> str:
        """Word an opening."""
        return opening_text(answer)

    def reply_text(self, answer: Answer) -> str:
        """Word a reply."""
        return reply_text(answer)

    def report(self, answer: Answer, asked: Collection[str] = ()) -> dict[str, Any]:
        """Return what was told as :func:`recfw_books.disclosed.report` has it; what was critiqued was told, too."""
        predicates = tuple(each for each in answer.critiqued if isinstance(each, Predicate))
        extras = tuple(each for each in answer.critiqued if isinstance(each, Fact))
        whole = Answer(
            revealed=(*answer.revealed, *predicates),
            extras=(*answer.extras, *extras),
            declined=answer.declined,
            no_preference=answer.no_preference,
            settled=answer.settled,
        )
        return report(whole, asked)
