"""
Generating a task set: 150 families, each in its volunteer, mixed and hidden variant, from predicates alone.

Each family has a stream of draws of its own, named by the seed and its number, and takes the first draw that passes
every rule: `requests` draws predicates, `rules` holds what they must be, `reveal` what may be withheld, `history` what
has been read and which formats suit. No retriever and no agent has a part in it.
"""

from collections import Counter
from collections.abc import Iterator

from attrs import evolve, frozen

from recfw.elicitation.predicates import Reveal
from recfw.errors import DataError
from recfw.model.draws import Draws
from recfw_books.catalog.records import BookCatalog
from recfw_books.families.history import draw_format, draw_history
from recfw_books.families.index import CatalogIndex
from recfw_books.families.personas import draw_persona
from recfw_books.families.plan import MOST_SHARE, MOST_VALUES, Slot, make_plan
from recfw_books.families.requests import Request, RequestSource
from recfw_books.families.reveal import Disclosure, disclosures, disclosures_without_answers
from recfw_books.model import BookTask

_TRIES, _TRIES_NVR = 12_000, 150_000
_TRIES_WISH = 2_000
"""Draws with a wished-for common (or uncommon) label before the other kind is tried."""
_STAGES = {
    "request": "the fields with answers in every nested catalog and every predicate material",
    "nvr": "no book meeting all predicates and 3 or more meeting all but any one",
    "new": "predicates that no earlier family has",
    "reveal": "predicates that may be withheld fairly",
    "format": "an answer in the smallest catalog with the one accepted format and one without it",
    "history": "a reading history (two answers and a near miss for each withheld predicate in the smallest catalog)",
}


@frozen
class Family:
    """One family: what its three variants share, and what the hidden one withholds."""

    slot: Slot
    request: Request
    disclosure: Disclosure
    accepted_formats: tuple[str, ...]
    history: tuple[str, ...]
    persona: str


def generate(catalog: BookCatalog, seed: int) -> list[BookTask]:
    """
    Return 450 tasks: families 001 to 150 in order, each as volunteer, mixed and hidden variant (paper section 3).

    Args:
        catalog: The books; its smallest nested catalog is the "5k catalog" of the rules.
        seed: Any whole number; equal seeds and catalogs give equal tasks on every machine.

    Raises:
        DataError: The catalog cannot carry a family; the message says which property found no family.
    """
    return [task for family in draw_families(CatalogIndex(catalog), seed) for task in variants(family)]


def draw_families(
    index: CatalogIndex, seed: int, *, most_values: int = MOST_VALUES, most_share: float = MOST_SHARE
) -> Iterator[Family]:
    """
    Draw the families of a set, one for each slot of the plan; DataError as in `generate`.

    With more values than by default it takes longer to find out that there is no answer; with a larger share, answers
    to hidden tasks are found sooner by proposing anything.
    """
    source = RequestSource(index)
    taken: set[frozenset[object]] = set()
    for planned in make_plan(seed):
        slot = evolve(planned, most_values=most_values, most_share=most_share)
        family = _draw_family(index, source, slot, seed, taken)
        taken.add(frozenset(family.request))
        yield family


def _draw_family(
    index: CatalogIndex, source: RequestSource, slot: Slot, seed: int, taken: set[frozenset[object]]
) -> Family:
    draws = Draws(seed, "books family", slot.number)
    passed: Counter[str] = Counter()
    for wish, tries in _wishes(slot):
        for _ in range(tries):
            family = _try_family(index, source, wish, draws, taken, passed)
            if family is not None:
                return family
    first, *rest = ("nvr", "new", "reveal") if slot.nvr else ("request", "new", "reveal", "format", "history")
    missing = next((stage for stage in (first, *rest) if not passed[stage]), rest[-1])
    kind = "without answers " if slot.nvr else ""
    raise DataError(
        f"a catalog of {len(index.books)} books carries no family {slot.number:03d} {kind}of template "
        f"{slot.template.name!r}: no draw had {_STAGES[missing]}.",
        "Use a larger catalog, or one with more varied genres, languages, countries and years.",
    )


def _wishes(slot: Slot) -> list[tuple[Slot, int]]:
    """Return what to try in turn, and how often: the wish for a common label is given up before the slot is."""
    if slot.nvr:
        return [(slot, _TRIES_NVR)]
    if not slot.template.place:
        return [(slot, _TRIES)]
    return [(slot, _TRIES_WISH), (evolve(slot, common=not slot.common), _TRIES), (slot, _TRIES)]


def _try_family(
    index: CatalogIndex,
    source: RequestSource,
    slot: Slot,
    draws: Draws,
    taken: set[frozenset[object]],
    passed: Counter[str],
) -> Family | None:
    """Draw one family; count in ``passed`` how many draws got past each stage."""
    if slot.nvr:
        request = source.impossible(slot.template, draws)
    else:
        request = source.satisfiable(slot.template, draws, common=slot.common)
    if request is None:
        return None
    passed["nvr" if slot.nvr else "request"] += 1
    if frozenset(request) in taken:
        return None
    passed["new"] += 1
    if slot.nvr:
        fair = disclosures_without_answers(index, request, few=slot.few, most_values=slot.most_values)
    else:
        fair = disclosures(index, request, slot.hidden, slot.most_share)
    if not fair:
        return None
    passed["reveal"] += 1
    disclosure = draws.choice(fair)
    formats = draw_format(index, request, draws, history=slot.history) if slot.single_format else ()
    if slot.single_format and not formats:
        return None
    passed["format"] += 1
    history = draw_history(index, request, disclosure, formats, draws) if slot.history else ()
    if slot.history and not history:
        return None
    return Family(slot, request, disclosure, formats, history, draw_persona(draws))


def variants(family: Family) -> Iterator[BookTask]:
    """Return a family's volunteer, mixed and hidden task, which differ in the reveal tags alone."""
    slot, disclosure = family.slot, family.disclosure
    positions = range(len(family.request))
    mixed = [Reveal.STATED if i == disclosure.stated else Reveal.ON_ASK for i in positions]
    tags = {
        "volunteer": [Reveal.STATED for _ in positions],
        "mixed": mixed,
        "hidden": [Reveal.HIDDEN if i in disclosure.hidden else mixed[i] for i in positions],
    }
    name = f"{slot.number:03d}"
    for condition, reveals in tags.items():
        yield BookTask(
            id=f"b{name}-{condition}",
            family=name,
            condition=condition,
            tier=slot.template.tier,
            template=slot.template.name,
            nvr=slot.nvr,
            predicates=tuple(evolve(p, reveal=tag) for p, tag in zip(family.request, reveals, strict=True)),
            accepted_formats=family.accepted_formats,
            history=family.history,
            persona=family.persona,
            panel=slot.panel,
            reliability=slot.reliability,
        )
