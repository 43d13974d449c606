"""Rules of a task set's shape: counts, names, variants, tiers and templates."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from attrs import evolve, fields

from recfw.elicitation.predicates import Predicate, Reveal
from recfw_books.model import BookTask
from recfw_books.validate.index import Index
from recfw_books.validate.subject import (
    CONDITIONS,
    WHOLE_SET,
    Family,
    Subject,
    family_rule,
    whole_set_rule,
)

TASKS, FAMILIES, NVR_FAMILIES, TEMPLATES = 450, 150, 15, 13
TIERS: Mapping[str, range] = {"simple": range(2, 3), "medium": range(3, 5), "complex": range(5, 6)}

Combination = tuple[str, ...]


@whole_set_rule("set-size", "A set has 450 tasks in 150 families.")
def set_size(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count tasks and families."""
    found = len(subject.tasks), len(subject.families)
    if found != (TASKS, FAMILIES):
        yield WHOLE_SET, f"there are {found[0]} tasks in {found[1]} families, not {TASKS} in {FAMILIES}."


@whole_set_rule("unique-ids", "Every task has an id of its own.")
def unique_ids(subject: Subject) -> Iterator[tuple[str, str]]:
    """Look for empty ids and for ids used twice."""
    seen: set[str] = set()
    for task in subject.tasks:
        if not task.id or task.id in seen:
            yield task.family, f"the id {task.id!r} is empty or taken by another task."
        seen.add(task.id)


@family_rule("family-variants", "A family has three variants: volunteer, mixed and hidden, once each.")
def family_variants(family: Family, _index: Index) -> Iterator[str]:
    """Compare a family's conditions with the three."""
    found = sorted(task.condition for task in family.tasks)
    if found != sorted(CONDITIONS):
        yield f"its variants are {', '.join(found)}."


def _but_for_condition(task: BookTask) -> BookTask:
    bare = tuple(evolve(predicate, reveal=Reveal.STATED) for predicate in task.predicates)
    return evolve(task, id="", condition="", predicates=bare)


@family_rule("same-but-reveal", "The variants of a family differ in reveal tags only (and in id and condition).")
def same_but_reveal(family: Family, _index: Index) -> Iterator[str]:
    """Compare each variant with the family's lead, field by field."""
    lead = _but_for_condition(family.lead)
    for task in family.tasks:
        other = _but_for_condition(task)
        names = [attribute.name for attribute in fields(BookTask)]
        unlike = [name for name in names if getattr(lead, name) != getattr(other, name)]
        if unlike:
            yield f"the variant {task.condition!r} differs from {family.lead.condition!r} in {', '.join(unlike)}."


def _request(predicates: tuple[Predicate, ...]) -> tuple[str, ...]:
    return tuple(sorted(f"{p.field} {p.op.value} {p.value!r}" for p in predicates))


@whole_set_rule("distinct-requests", "No two families ask for the same.")
def distinct_requests(subject: Subject) -> Iterator[tuple[str, str]]:
    """Look for two families with equal predicates."""
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for family in subject.families:
        groups[_request(family.predicates)].append(family.name)
    for names in groups.values():
        for name in names if len(names) > 1 else ():
            yield name, f"it has the predicates of {' and '.join(other for other in names if other != name)}."


@family_rule("persona", "A family has a persona.")
def persona(family: Family, _index: Index) -> Iterator[str]:
    """Look for an empty persona."""
    if not family.lead.persona.strip():
        yield "its persona is empty."


@family_rule("tier-count", "A simple family has 2 predicates, a medium one 3 or 4, a complex one 5; a range is two.")
def tier_count(family: Family, _index: Index) -> Iterator[str]:
    """Compare the number of predicates with the tier's."""
    tier, count = family.lead.tier, len(family.predicates)
    if count not in TIERS.get(tier, ()):
        yield f"it is of tier {tier!r} and has {count} predicates."


def combination(family: Family) -> Combination:
    """Return the fields and bounds that a family combines, sorted."""
    return tuple(sorted(f"{p.field} {p.op.value}" for p in family.predicates))


def _by_template(subject: Subject) -> dict[str, list[Family]]:
    groups: dict[str, list[Family]] = defaultdict(list)
    for family in subject.families:
        groups[family.lead.template].append(family)
    return groups


def _usual_combination(families: list[Family]) -> Combination:
    return Counter(map(combination, families)).most_common(1)[0][0]


@whole_set_rule("template-count", "A set uses 13 templates.")
def template_count(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count template names."""
    names = sorted(_by_template(subject))
    if len(names) != TEMPLATES:
        yield WHOLE_SET, f"there are {len(names)} templates, not {TEMPLATES}: {', '.join(names)}."


@whole_set_rule("template-fixed", "A template is one combination of fields and year bounds.")
def template_fixed(subject: Subject) -> Iterator[tuple[str, str]]:
    """Compare each family's combination with the one that most families of its template have."""
    for name, families in _by_template(subject).items():
        usual = _usual_combination(families)
        for family in families:
            if combination(family) != usual:
                has, others = ", ".join(combination(family)), ", ".join(usual)
                yield family.name, f"it combines {has}; template {name!r} combines {others}."


@whole_set_rule("template-distinct", "No two templates are the same combination.")
def template_distinct(subject: Subject) -> Iterator[tuple[str, str]]:
    """Look for two template names with one combination; name the families of the rarer."""
    groups = sorted(_by_template(subject).items(), key=lambda item: (-len(item[1]), item[0]))
    first: dict[Combination, str] = {}
    for name, families in groups:
        earlier = first.setdefault(_usual_combination(families), name)
        if earlier != name:
            for family in families:
                yield family.name, f"its template {name!r} combines what {earlier!r} does."


@whole_set_rule("template-tier", "All families of a template are of one tier.")
def template_tier(subject: Subject) -> Iterator[tuple[str, str]]:
    """Compare each family's tier with the one that most families of its template have."""
    for name, families in _by_template(subject).items():
        usual = Counter(family.lead.tier for family in families).most_common(1)[0][0]
        for family in families:
            if family.lead.tier != usual:
                yield family.name, f"it is of tier {family.lead.tier!r}; template {name!r} is {usual!r}."


@whole_set_rule("nvr-count", "15 families have no valid recommendation.")
def nvr_count(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count NVR families."""
    if len(subject.nvr) != NVR_FAMILIES:
        yield WHOLE_SET, f"{len(subject.nvr)} families are marked as having no answer, not {NVR_FAMILIES}."


RULES = (
    set_size,
    unique_ids,
    family_variants,
    same_but_reveal,
    distinct_requests,
    persona,
    tier_count,
    template_count,
    template_fixed,
    template_distinct,
    template_tier,
    nvr_count,
)
