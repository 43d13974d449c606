"""Rules of accepted formats: one or any, in 36 families, where it matters."""

from collections.abc import Iterator

from recfw_books.model import FORMATS
from recfw_books.validate.index import Index
from recfw_books.validate.subject import WHOLE_SET, Family, Subject, family_rule, whole_set_rule

SINGLE_FORMAT_FAMILIES = 36


@family_rule("one-format-or-any", "A family accepts one of the four formats, or any (an empty list).")
def one_format_or_any(family: Family, _index: Index) -> Iterator[str]:
    """Look for several formats, or one that is unknown."""
    accepted = family.lead.accepted_formats
    if accepted and (len(accepted) != 1 or accepted[0] not in FORMATS):
        yield f"it accepts {', '.join(accepted)}."


@whole_set_rule("format-count", "36 families accept one format only.")
def format_count(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count the families that name a format."""
    count = sum(bool(family.lead.accepted_formats) for family in subject.families)
    if count != SINGLE_FORMAT_FAMILIES:
        yield WHOLE_SET, f"{count} families name a format, not {SINGLE_FORMAT_FAMILIES}."


@family_rule("nvr-any-format", "An NVR family accepts any format.", only="nvr")
def nvr_any_format(family: Family, _index: Index) -> Iterator[str]:
    """Look for a format in an NVR family."""
    if family.lead.accepted_formats:
        yield f"it has no answer and accepts {', '.join(family.lead.accepted_formats)} only."


@family_rule(
    "format-matters",
    "Where one format is accepted, an unread book of the smallest catalog meets every predicate and lacks it.",
    only="satisfiable",
)
def format_matters(family: Family, index: Index) -> Iterator[str]:
    """Look for a book that fails by its formats alone."""
    accepted = family.lead.accepted_formats
    valid = index.meeting_all(family.predicates, index.smallest) & ~index.of(family.lead.history)
    if accepted and not valid & ~index.in_formats(accepted):
        yield f"each otherwise valid book of the first {index.smallest} comes as {', '.join(accepted)}."


RULES = (one_format_or_any, format_count, nvr_any_format, format_matters)
