"""Rules of reveal tags: what each variant states, what the hidden one withholds, and what must not give it away."""

from collections.abc import Iterator

from recfw.elicitation.predicates import Reveal
from recfw_books.validate.index import Index
from recfw_books.validate.subject import (
    Family,
    Subject,
    family_rule,
    in_words,
    same_request,
    whole_set_rule,
)

REVEALED_MATCHES, EXCUSED_FAMILIES, HIDDEN_LABELS = 25, 3, 16


@family_rule("volunteer-tells-all", "The volunteer variant states every predicate.")
def volunteer_tells_all(family: Family, _index: Index) -> Iterator[str]:
    """Look for a predicate that the volunteer user keeps back."""
    task = family.variant("volunteer")
    for predicate in task.predicates if task else ():
        if predicate.reveal is not Reveal.STATED:
            yield f"the volunteer variant has {in_words(predicate)!r} as {predicate.reveal.value!r}."


@family_rule("mixed-tells-one", "The mixed variant states one predicate and has the rest on ask.")
def mixed_tells_one(family: Family, _index: Index) -> Iterator[str]:
    """Count the mixed variant's tags."""
    task = family.variant("mixed")
    tags = [predicate.reveal for predicate in task.predicates] if task else [Reveal.STATED]
    if tags.count(Reveal.STATED) != 1 or Reveal.HIDDEN in tags:
        yield f"the mixed variant's tags are {', '.join(tag.value for tag in tags)}."


@family_rule("same-opening", "The hidden variant states one predicate, the one that the mixed variant states.")
def same_opening(family: Family, _index: Index) -> Iterator[str]:
    """Compare what the mixed and the hidden variant open with."""
    mixed, hidden = family.variant("mixed"), family.variant("hidden")
    if mixed is None or hidden is None:
        return
    opening = [[p for p in task.predicates if p.reveal is Reveal.STATED] for task in (mixed, hidden)]
    if len(opening[1]) != 1 or len(opening[0]) != 1 or not same_request(opening[0][0], opening[1][0]):
        said = (" and ".join(map(in_words, stated)) or "nothing" for stated in opening)
        yield "the mixed variant opens with {}, the hidden one with {}.".format(*said)


@family_rule("hides-one-or-two", "The hidden variant hides one predicate or two.")
def hides_one_or_two(family: Family, _index: Index) -> Iterator[str]:
    """Count the hidden predicates."""
    if family.variant("hidden") and len(family.hidden) not in {1, 2}:
        yield f"the hidden variant hides {len(family.hidden)} predicates."


@family_rule("nvr-hides-one", "The hidden variant of an NVR family hides exactly one predicate.", only="nvr")
def nvr_hides_one(family: Family, _index: Index) -> Iterator[str]:
    """Count the hidden predicates of an NVR family."""
    if family.variant("hidden") and len(family.hidden) != 1:
        yield f"the hidden variant hides {len(family.hidden)} predicates."


@whole_set_rule("nvr-revealed-matches", "In all but 3 NVR families at least 25 books match the revealed predicates.")
def nvr_revealed_matches(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count each NVR family's revealed matches in the largest catalog; name the poor ones where they are too many."""
    counts = {f.name: subject.index.meeting_all(f.revealed).bit_count() for f in subject.nvr if f.variant("hidden")}
    poor = {name: count for name, count in counts.items() if count < REVEALED_MATCHES}
    if len(poor) > EXCUSED_FAMILIES:
        for name, count in poor.items():
            yield name, f"{count} books match what it reveals, and {len(poor)} NVR families have fewer than 25."


@family_rule(
    "nvr-hidden-labels",
    "A language or country that an NVR family hides has at most 16 labels among the revealed matches.",
    only="nvr",
)
def nvr_hidden_labels(family: Family, index: Index) -> Iterator[str]:
    """Count the labels of the hidden field that the revealed matches carry, in the largest catalog."""
    matches = index.meeting_all(family.revealed)
    for predicate in family.hidden:
        if predicate.field in {"language", "country"}:
            count = len(index.labels_among(matches, predicate.field))
            if count > HIDDEN_LABELS:
                yield f"the revealed matches carry {count} labels of the hidden {predicate.field}."


@family_rule("hidden-rules-out-half", "What is hidden rules out at least half of the revealed matches, at every size.")
def hidden_rules_out_half(family: Family, index: Index) -> Iterator[str]:
    """Compare answers with revealed matches, at every size."""
    for size in index.sizes if family.variant("hidden") else ():
        matches = index.meeting_all(family.revealed, size)
        left = (matches & index.meeting_all(family.hidden)).bit_count()
        if 2 * left > matches.bit_count():
            yield f"{left} of {matches.bit_count()} revealed matches among the first {size} books meet what it hides."


@family_rule("no-implied-secret", "No hidden predicate is met by every book that matches the revealed ones.")
def no_implied_secret(family: Family, index: Index) -> Iterator[str]:
    """Look for a hidden predicate that the revealed ones imply, alone or together, in the largest catalog."""
    matches = index.meeting_all(family.revealed)
    for predicate in family.hidden:
        if not matches & ~index.meeting(predicate):
            yield f"every revealed match meets the hidden {in_words(predicate)!r}."


@family_rule(
    "no-telling-label", "No label is revealed while a label of its field that covers it, or that it covers, is hidden."
)
def no_telling_label(family: Family, index: Index) -> Iterator[str]:
    """Look for a revealed and a hidden label of one field where either covers the other."""
    for secret in family.hidden:
        for told in family.revealed:
            if told.field == secret.field and index.related(told.field, told.value, secret.value):
                yield f"it reveals {in_words(told)!r} and hides {in_words(secret)!r}."


RULES = (
    volunteer_tells_all,
    mixed_tells_one,
    same_opening,
    hides_one_or_two,
    nvr_hides_one,
    nvr_revealed_matches,
    nvr_hidden_labels,
    hidden_rules_out_half,
    no_implied_secret,
    no_telling_label,
)
