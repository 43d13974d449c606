"""Rules of a family's predicates, read one family at a time: legal pairs, known values, no clash."""

from collections.abc import Iterator
from itertools import combinations

from recfw.elicitation.predicates import Op, Predicate
from recfw_books.model import FIRST_YEAR, GENRES, LAST_YEAR
from recfw_books.validate.index import LEGAL_OPS, Index
from recfw_books.validate.subject import Family, family_rule, in_words, same_request


@family_rule("legal-predicate", "Predicates are genre contains, language ==, country ==, year >= or year <=.")
def legal_predicate(family: Family, _index: Index) -> Iterator[str]:
    """Look for a field and an operator that make no pair."""
    for predicate in family.predicates:
        if predicate.op not in LEGAL_OPS.get(predicate.field, frozenset()):
            yield f"{in_words(predicate)!r} is no legal predicate."


def _is_known(predicate: Predicate, index: Index) -> bool:
    value = predicate.value
    if predicate.field == "year":
        return isinstance(value, int) and not isinstance(value, bool) and FIRST_YEAR <= value <= LAST_YEAR
    if predicate.field == "genre" and value not in GENRES:
        return False
    return isinstance(value, str) and index.covers_any(predicate.field, value)


@family_rule(
    "known-value", "A label covers a book of the catalog (a genre is one of the 19), a year lies in 1460-2026."
)
def known_value(family: Family, index: Index) -> Iterator[str]:
    """Look a legal predicate's value up in the catalog's vocabulary."""
    for predicate in family.predicates:
        if predicate.field in LEGAL_OPS and not _is_known(predicate, index):
            yield f"the value of {in_words(predicate)!r} does not occur in the catalog."


@family_rule("no-duplicate", "No predicate of a family is there twice.")
def no_duplicate(family: Family, _index: Index) -> Iterator[str]:
    """Compare predicates pairwise."""
    for left, right in combinations(family.predicates, 2):
        if same_request(left, right):
            yield f"{in_words(left)!r} is there twice."


@family_rule("no-clash", "A family has at most one language, one country, one bound of each kind, and two genres.")
def no_clash(family: Family, _index: Index) -> Iterator[str]:
    """Count the predicates of each field and operator."""
    pairs = [(p.field, p.op) for p in family.predicates]
    for pair in dict.fromkeys(pairs):
        allowed = 2 if pair[0] == "genre" else 1
        if pairs.count(pair) > allowed:
            yield f"it has {pairs.count(pair)} predicates '{pair[0]} {pair[1].value}', more than {allowed}."


@family_rule("year-range", "A year range holds at least one year.")
def year_range(family: Family, _index: Index) -> Iterator[str]:
    """Compare the lower bounds with the upper ones."""
    bounds = [p for p in family.predicates if p.field == "year"]
    for low in (p for p in bounds if p.op is Op.GE):
        for high in (p for p in bounds if p.op is Op.LE):
            if low.value > high.value:
                yield f"no year is from {low.value} on and up to {high.value}."


@family_rule(
    "language-or-country", "A family asks for a language or a country, never for both: they imply one another."
)
def language_or_country(family: Family, _index: Index) -> Iterator[str]:
    """Look for both fields in one family."""
    fields = {p.field for p in family.predicates}
    if {"language", "country"} <= fields:
        yield "it asks for a language and for a country."


@family_rule("has-genre", "A family asks for one genre or two.")
def has_genre(family: Family, _index: Index) -> Iterator[str]:
    """Look for a family without a genre."""
    if all(p.field != "genre" for p in family.predicates):
        yield "it asks for no genre."


RULES = (
    legal_predicate,
    known_value,
    no_duplicate,
    no_clash,
    year_range,
    language_or_country,
    has_genre,
)
