"""
The rule-based users: ``books-rules`` of the paper, and the three that its conclusion names as what comes next.

Their manners are core's (:mod:`recfw.elicitation.manners`), their words are this track's.
"""

from typing import ClassVar

from recfw.elicitation.users import CostlyUser, CritiquingUser, RulesUser, SoftUser, Voice
from recfw_books.user.voice import BooksVoice

MATCHER = "4"
"""Version of these users: of what the matcher takes for a question, and of their sentences."""


class BooksRules(RulesUser):
    """Matches questions by rules and answers in fixed sentences (the paper, section 4.1)."""

    version: ClassVar[str] = MATCHER
    name: ClassVar[str] = "books-rules"
    tracks: ClassVar[tuple[str, ...]] = ("books",)
    voice: ClassVar[Voice] = BooksVoice()


class BooksCritiquing(CritiquingUser):
    """Answers by the rules, and states one requirement that a rejected book violates."""

    version: ClassVar[str] = MATCHER
    name: ClassVar[str] = "books-critiquing"
    tracks: ClassVar[tuple[str, ...]] = ("books",)
    voice: ClassVar[Voice] = BooksVoice()


class BooksCostly(CostlyUser):
    """Answers by the rules, until its patience for questions is used up."""

    version: ClassVar[str] = MATCHER
    name: ClassVar[str] = "books-costly"
    tracks: ClassVar[tuple[str, ...]] = ("books",)
    voice: ClassVar[Voice] = BooksVoice()


class BooksSoft(SoftUser):
    """Answers by the rules, and has preferences that grade the books that it accepts."""

    version: ClassVar[str] = MATCHER
    name: ClassVar[str] = "books-soft"
    tracks: ClassVar[tuple[str, ...]] = ("books",)
    voice: ClassVar[Voice] = BooksVoice()
