"""The phrasings: how a wish may be put, plainly and in each of the five ambiguous ways."""

from functools import cache
from importlib.resources import files

from attrs import Factory, frozen

from recfw.serialize import loads


@frozen
class Clause:
    """Verb phrases of one kind of wish, to follow "one that": slots in braces, those with ~ take the lexicon's word."""

    plain: str
    underspecification: tuple[str, ...] = ()
    vague_quantifier: tuple[str, ...] = ()
    implicit_constraint: tuple[str, ...] = ()

    def of(self, ambiguity: str) -> tuple[str, ...]:
        """Return the clauses of an ambiguity type; none for types that frame a whole sentence."""
        found: tuple[str, ...] = getattr(self, ambiguity, ())
        return found


@frozen
class Phrasings:
    """
    All wordings.

    Args:
        openers: Domain -> plain first sentences.
        open_openers: First sentences that leave open what kind of thing is looked for (underspecification).
        plain: Plain sentences around a clause.
        preference_uncertainty: Sentences around a clause that doubt the wish.
        soft_contradiction: Sentences around a clause that half take it back.
        clauses: Kind of wish -> its clauses.
    """

    openers: dict[str, tuple[str, ...]]
    open_openers: tuple[str, ...]
    plain: tuple[str, ...]
    preference_uncertainty: tuple[str, ...]
    soft_contradiction: tuple[str, ...]
    clauses: dict[str, Clause] = Factory(dict)

    def frames(self, ambiguity: str) -> tuple[str, ...]:
        """Return the sentences of an ambiguity type that frame any clause."""
        return {
            "preference_uncertainty": self.preference_uncertainty,
            "soft_contradiction": self.soft_contradiction,
        }.get(ambiguity, ())


@cache
def phrasings() -> Phrasings:
    """Return the shipped phrasings."""
    data = (files("recfw_orchestration.tasks") / "data" / "phrasings.json").read_bytes()
    return loads(data, Phrasings, "phrasings.json")
