"""Fuzzy requests: types, words, and how often a phrasing may be used."""

import re
from collections import Counter

import pytest

from recfw.model.draws import Draws
from recfw_orchestration.tasks.fuzzify.fuzzing import Fuzzer, Ledger
from recfw_orchestration.tasks.fuzzify.phrasings import Clause, phrasings
from recfw_orchestration.tasks.fuzzify.wording import filled, masked
from recfw_orchestration.tasks.lexicon import lexicon
from recfw_orchestration.tasks.records import AMBIGUITY_TYPES
from recfw_orchestration.tasks.synthesize.draft import Wish

WISHES = (
    Wish("rating_many", {"min_rating": 4, "min_reviews": 10}),
    Wish("liked", {"aspect": "battery"}),
    Wish("taste"),
)


def request(types, seed=1, wishes=WISHES, ledger=None):
    """Return a request."""
    return Fuzzer(ledger or Ledger.of(1288)).request("electronics", wishes, {}, types, Draws(seed))


@pytest.mark.parametrize("types", [1, 2, 3])
def test_a_request_has_as_many_distinct_types_as_asked(types):
    """Each phrase stands in the instruction, and none in the plain one where it could not be told apart."""
    made = request(types)
    kinds = {phrase.type for phrase in made.phrases}
    assert (len(made.phrases), len(kinds)) == (types, types)
    assert all(phrase.text in made.instruction for phrase in made.phrases)


def test_words_mean_the_values_that_they_replace():
    """A vague word stands in the lexicon with gold's value."""
    seen = set()
    for seed in range(60):
        for phrase in request(3, seed).phrases:
            for slot, word in phrase.words.items():
                seen.add(slot)
                assert (word in phrase.text, lexicon()[slot].words[word]) == (True, phrase.values[slot])
    assert seen == {"min_rating", "min_reviews", "aspect"}


def test_a_plain_request_tells_every_value():
    """Nothing is fuzzy in it."""
    assert re.search(r"at least 4 stars.*at least 10 ratings.*battery", request(3).plain)


def test_types_that_wishes_do_not_allow_are_not_made_up():
    """A lone search allows three types, not four; a phrasing that is used up allows none."""
    lone = (Wish("search", {"category": "Microphones"}),)
    assert request(2, wishes=lone) is not None
    ledger = Ledger(most=0)
    assert request(1, ledger=ledger) is None


def test_types_and_phrasings_are_used_evenly():
    """Over 400 requests no type leads by more than a few, and no phrasing passes its share."""
    ledger = Ledger.of(400)
    for seed in range(400):
        ledger.enter(request(1 + seed % 3, seed, ledger=ledger).phrases)
    counts = [ledger.types[kind] for kind in AMBIGUITY_TYPES]
    assert (max(counts) - min(counts) <= 3, max(ledger.patterns.values()) <= ledger.most) == (True, True)


def test_each_type_has_thirty_phrasings():
    """After masking slots, as the spec counts them."""
    known, found = phrasings(), Counter()
    for kind in AMBIGUITY_TYPES:
        found[kind] = len({masked(each, {}) for clause in known.clauses.values() for each in clause.of(kind)})
        found[kind] += len(set(known.frames(kind)))
    found["underspecification"] += len(set(known.open_openers))
    assert all(found[kind] >= 30 for kind in AMBIGUITY_TYPES), found


def test_every_fuzzy_slot_is_in_the_lexicon():
    """So no phrasing can ask for words that nobody defined."""
    known = phrasings()
    slots = {
        slot
        for clause in known.clauses.values()
        for kind in AMBIGUITY_TYPES
        for each in clause.of(kind)
        for slot in re.findall(r"\{~(\w+)\}", each)
    }
    assert slots <= set(lexicon())


def test_masks_hide_values_and_keep_wording():
    """A number's word is a slot; an aspect's circumstance is the phrasing itself."""
    words = {"aspect": "does not pinch", "min_rating": "good"}
    assert masked("{~aspect} with {~min_rating} {category}", words) == "does not pinch with <min_rating> <category>"


def test_values_are_written_as_people_write_them():
    """Whole numbers without a point, coordinates with all their places; a slot without a value is left empty."""
    assert filled("{a}|{b}|{c}|{~d}", {"a": 4, "b": 4.5, "c": -71.91234}, {}) == "4|4.5|-71.91234|"


def test_a_clause_has_none_of_what_it_does_not_name():
    """Framing types have no clauses."""
    assert Clause("is red").of("soft_contradiction") == ()
