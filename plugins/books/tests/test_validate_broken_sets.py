"""A generated valid set, broken in one way at a time on purpose: the validator names the family and the rule."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from attrs import evolve, frozen

from recfw.elicitation.predicates import Op, Predicate, Reveal
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.families.generate import generate
from recfw_books.model import FORMATS, BookTask
from recfw_books.search.structured import Filters, StructuredSearch
from recfw_books.validate import RULES, WHOLE_SET, validate
from recfw_books.validate.index import Index
from recfw_books.validate.rules import CHECKS
from recfw_books.validate.subject import Family, Search, Subject

SEED = 1
COUNTED = {
    "set-size",
    "template-count",
    "nvr-count",
    "format-count",
    "history-count",
    "history-two-hidden",
    "panel-count",
    "reliability-count",
}
"""Rules that only the whole set can break: no family can be named."""

Tasks = list[BookTask]
Pick = Callable[[Family], object]
SF, WAR = ("genre", "contains", "Science Fiction"), ("genre", "contains", "War")


@frozen
class ValidSet:
    """A generated task set with its catalog and the validator's index of it."""

    catalog: BookCatalog
    tasks: Tasks
    index: Index
    engines: Mapping[int, StructuredSearch]

    def families(self) -> tuple[Family, ...]:
        """Return the set's families."""
        return Subject.of(self.index, self.tasks).families

    def each(self, family: Family, change: Callable[[BookTask], BookTask], only: str | None = None) -> Tasks:
        """Return the tasks with a family's variants changed, or one of them."""
        return [
            change(task) if task.family == family.name and only in {None, task.condition} else task
            for task in self.tasks
        ]

    def set(self, family: Family, only: str | None = None, **fields: Any) -> Tasks:
        """Return the tasks with fields of a family's variants replaced, or of one of them."""
        return self.each(family, lambda task: evolve(task, **fields), only)

    def ask(self, family: Family, *asked: tuple[str, str, Any]) -> Tasks:
        """Return the tasks with a family's predicates replaced: the first opens, the last is hidden."""
        last = len(asked) - 1
        tags = {
            "volunteer": ["stated"] * len(asked),
            "mixed": ["stated", *["on_ask"] * last],
            "hidden": ["stated", *["on_ask"] * (last - 1), "hidden"],
        }

        def change(task: BookTask) -> BookTask:
            pairs = zip(asked, tags[task.condition], strict=True)
            return evolve(task, predicates=tuple(Predicate(*ask, reveal=Reveal(tag)) for ask, tag in pairs))

        return self.each(family, change)

    def alter(self, family: Family, asked: str, only: str | None = None, **change: Any) -> Tasks:
        """Return the tasks with one predicate of a family altered: the first on a field, or with 'field op'."""
        at = next(n for n, p in enumerate(family.predicates) if f"{p.field} {p.op.value}".startswith(asked))

        def altered(task: BookTask) -> BookTask:
            return evolve(
                task, predicates=tuple(evolve(p, **change) if n == at else p for n, p in enumerate(task.predicates))
            )

        return self.each(family, altered, only)

    def tag(self, family: Family, condition: str, *tags: str) -> Tasks:
        """Return the tasks with one variant's reveal tags replaced; the last one goes for all that follow."""

        def change(task: BookTask) -> BookTask:
            longer = [*tags, *[tags[-1]] * len(task.predicates)]
            return evolve(
                task, predicates=tuple(evolve(p, reveal=t) for p, t in zip(task.predicates, longer, strict=False))
            )

        return self.each(family, change, condition)

    def read_also(self, family: Family, book_id: str) -> Tasks:
        """Return the tasks with one more book in a family's history."""
        return self.set(family, history=(*family.lead.history, book_id))

    def unread(self, family: Family, *book_ids: str) -> Tasks:
        """Return the tasks with books taken from a family's history."""
        return self.set(family, history=tuple(i for i in family.lead.history if i not in book_ids))

    def ids(self, books: int) -> list[str]:
        """Return the ids of a set of books, in catalog order."""
        return [book.id for book, bit in zip(self.catalog.books, f"{books:b}"[::-1], strict=False) if bit == "1"]

    def answers(self, family: Family, *, read: bool, size: int | None = None) -> int:
        """Return a family's answers in its history, or outside it."""
        history = self.index.of(family.lead.history)
        return self.index.meeting_all(family.predicates, size) & (history if read else ~history)

    def search(self, size: int, filters: Mapping[str, Any]) -> tuple[int, list[str]]:
        """Search with the engine of the structured tool."""
        page = self.engines[size].search(Filters(**filters))
        return page.total, [book.id for book in page.books]


def asked(family: Family) -> list[tuple[str, str, Any]]:
    """Return a family's predicates as plain rows."""
    return [(p.field, p.op.value, p.value) for p in family.predicates]


def combined(family: Family) -> str:
    """Return the fields and operators that a family combines, for picking one."""
    return " and ".join(f"{p.field} {p.op.value}" for p in family.predicates)


def other_template(v: ValidSet, family: Family) -> str:
    """Return the name of a template with another combination."""
    return next(f.lead.template for f in v.families() if f.lead.template != family.lead.template)


def twin(v: ValidSet, family: Family) -> Family:
    """Return another family of the same template."""
    return next(f for f in v.families() if f.lead.template == family.lead.template and f.name != family.name)


def open_otherwise(v: ValidSet, family: Family) -> Tasks:
    """Return the tasks with the hidden variant opening with what comes after the mixed one's opening."""
    mixed = family.variant("mixed")
    assert mixed is not None
    opening = next(n for n, p in enumerate(mixed.predicates) if p.reveal is Reveal.STATED)
    tags = ["on_ask"] * len(mixed.predicates)
    tags[opening], tags[(opening + 1) % len(tags)] = "hidden", "stated"
    return v.tag(family, "hidden", *tags)


def reveal_all_nvr(v: ValidSet, _family: Family) -> Tasks:
    """Return the tasks with nothing hidden in any NVR family, so that nothing matches what is revealed."""
    shown = {f.name: f for f in v.families() if f.lead.nvr}
    told = {name: v.tag(family, "hidden", "stated", "on_ask") for name, family in shown.items()}
    return [told[task.family][n] if task.family in told else task for n, task in enumerate(v.tasks)]


def swap_panel(v: ValidSet, family: Family) -> Tasks:
    """Return the tasks with an NVR family in the panel in the place of a satisfiable one."""
    joining = next(f.name for f in v.families() if f.lead.nvr and not f.lead.panel)
    places = {family.name: False, joining: True}
    return [evolve(task, panel=places.get(task.family, task.panel)) for task in v.tasks]


def no_two_hidden_histories(v: ValidSet, _family: Family) -> Tasks:
    """Return the tasks without the histories of the families that hide two predicates."""
    two = {f.name for f in v.families() if len(f.hidden) == 2}
    return [evolve(task, history=()) if task.family in two else task for task in v.tasks]


def stranger(v: ValidSet, family: Family) -> str:
    """Return the id of a book that meets none of a family's predicates."""
    meeting = 0
    for predicate in family.predicates:
        meeting |= v.index.meeting(predicate)
    return v.ids(v.index.meeting_all((), v.index.smallest) & ~meeting)[0]


def near_miss(v: ValidSet, family: Family) -> str:
    """Return the id of a book in a family's history that is no answer."""
    answers = v.ids(v.answers(family, read=True))
    return next(i for i in family.lead.history if i not in answers)


def is_satisfiable(family: Family) -> bool:
    """Pick a satisfiable family."""
    return not family.lead.nvr


def is_nvr(family: Family) -> bool:
    """Pick an NVR family."""
    return family.lead.nvr


def has_format(family: Family) -> bool:
    """Pick a family that accepts one format."""
    return bool(family.lead.accepted_formats)


def has_history(family: Family) -> bool:
    """Pick a family with a reading history."""
    return bool(family.lead.history)


def in_block(family: Family) -> bool:
    """Pick a family of the reliability block."""
    return family.lead.reliability


def asks(what: str) -> Pick:
    """Pick a satisfiable family with a predicate on a field, or on 'field op'."""
    return lambda family: not family.lead.nvr and what in combined(family)


def longer_than(count: int, *, nvr: bool = False) -> Pick:
    """Pick a family with more predicates than ``count``."""
    return lambda family: family.lead.nvr is nvr and len(family.predicates) > count


Row = tuple[str, str, Pick, Callable[[ValidSet, Family], Tasks]]
BROKEN_SETS: tuple[Row, ...] = (
    # the rule, how it is broken, in which family, by what change
    ("set-size", "a family is gone", is_nvr, lambda v, f: [t for t in v.tasks if t.family != f.name]),
    ("set-size", "a task is gone", is_satisfiable, lambda v, f: v.tasks[1:]),
    ("unique-ids", "an id is taken", is_satisfiable, lambda v, f: v.set(f, "hidden", id=f.tasks[0].id)),
    ("unique-ids", "an id is empty", is_satisfiable, lambda v, f: v.set(f, "mixed", id="")),
    ("family-variants", "one is gone", is_nvr, lambda v, f: [t for t in v.tasks if t != f.variant("mixed")]),
    ("family-variants", "one is there twice", is_satisfiable, lambda v, f: v.set(f, "volunteer", condition="mixed")),
    ("family-variants", "an unknown one", is_nvr, lambda v, f: v.set(f, "hidden", condition="shy")),
    ("same-but-reveal", "another persona", is_satisfiable, lambda v, f: v.set(f, "hidden", persona="a stranger")),
    ("same-but-reveal", "another year", asks("year"), lambda v, f: v.alter(f, "year", "mixed", value=1999)),
    ("same-but-reveal", "outside the panel", in_block, lambda v, f: v.set(f, "hidden", panel=False)),
    ("same-but-reveal", "no history", has_history, lambda v, f: v.set(f, "mixed", history=())),
    ("same-but-reveal", "any format", has_format, lambda v, f: v.set(f, "volunteer", accepted_formats=())),
    ("distinct-requests", "a twin's request", is_satisfiable, lambda v, f: v.ask(f, *asked(twin(v, f)))),
    ("persona", "it is blank", is_nvr, lambda v, f: v.set(f, persona=" ")),
    ("tier-count", "five are called simple", longer_than(4), lambda v, f: v.set(f, tier="simple")),
    ("tier-count", "a tier is unknown", is_satisfiable, lambda v, f: v.set(f, tier="hard")),
    ("template-tier", "another tier", is_satisfiable, lambda v, f: v.set(f, tier="hard")),
    ("template-count", "a fourteenth", is_satisfiable, lambda v, f: v.set(f, template="fourteenth")),
    ("template-distinct", "a second name", is_satisfiable, lambda v, f: v.set(f, template="fourteenth")),
    ("template-fixed", "another's name", is_satisfiable, lambda v, f: v.set(f, template=other_template(v, f))),
    ("template-fixed", "a bound turned round", asks("year <="), lambda v, f: v.alter(f, "year <=", op=Op.GE)),
    ("nvr-count", "a sixteenth", is_satisfiable, lambda v, f: v.set(f, nvr=True)),
    ("legal-predicate", "genre ==", asks("genre"), lambda v, f: v.alter(f, "genre", op=Op.EQ)),
    ("legal-predicate", "a field is unknown", asks("language"), lambda v, f: v.alter(f, "language", field="isbn")),
    ("known-value", "a language", asks("language"), lambda v, f: v.alter(f, "language", value="Klingon")),
    ("known-value", "a country", asks("country"), lambda v, f: v.alter(f, "country", value="Qo'noS")),
    ("known-value", "a genre", asks("genre"), lambda v, f: v.alter(f, "genre", value="Cooking")),
    ("known-value", "a year", asks("year"), lambda v, f: v.alter(f, "year", value=1200)),
    ("no-duplicate", "the first is the last", is_satisfiable, lambda v, f: v.ask(f, *asked(f)[:-1], asked(f)[0])),
    (
        "no-clash",
        "two languages",
        is_satisfiable,
        lambda v, f: v.ask(f, WAR, ("language", "==", "English"), ("language", "==", "French")),
    ),
    (
        "year-range",
        "it is empty",
        is_satisfiable,
        lambda v, f: v.ask(f, WAR, ("year", ">=", 2001), ("year", "<=", 2000)),
    ),
    (
        "language-or-country",
        "both",
        is_satisfiable,
        lambda v, f: v.ask(f, WAR, ("language", "==", "French"), ("country", "==", "France")),
    ),
    ("has-genre", "none", is_satisfiable, lambda v, f: v.ask(f, ("year", ">=", 1990), ("year", "<=", 2000))),
    ("nvr-empty", "a satisfiable one", is_satisfiable, lambda v, f: v.set(f, nvr=True)),
    ("nvr-empty", "a predicate is gone", longer_than(2, nvr=True), lambda v, f: v.ask(f, *asked(f)[:-1])),
    (
        "nvr-drop-one",
        "impossible twice over",
        is_nvr,
        lambda v, f: v.ask(f, WAR, ("year", "<=", 1460), ("year", ">=", 2026)),
    ),
    ("material", "a bound excludes nothing", asks("year <="), lambda v, f: v.alter(f, "year <=", value=2026)),
    (
        "material",
        "no answer whatever is dropped",
        is_satisfiable,
        lambda v, f: v.ask(f, WAR, ("language", "==", "Klingon"), ("year", "<=", 1459)),
    ),
    (
        "answerable",
        "every 5k answer is read",
        is_satisfiable,
        lambda v, f: v.set(f, history=tuple(v.ids(v.answers(f, read=False, size=v.index.smallest)))),
    ),
    ("answerable", "a format that no book has", has_format, lambda v, f: v.set(f, accepted_formats=("scroll",))),
    ("volunteer-tells-all", "one on ask", is_nvr, lambda v, f: v.tag(f, "volunteer", "stated", "on_ask")),
    ("volunteer-tells-all", "all hidden", is_satisfiable, lambda v, f: v.tag(f, "volunteer", "hidden")),
    ("mixed-tells-one", "two", longer_than(2), lambda v, f: v.tag(f, "mixed", "stated", "stated", "on_ask")),
    ("mixed-tells-one", "none", is_satisfiable, lambda v, f: v.tag(f, "mixed", "on_ask")),
    ("mixed-tells-one", "one hidden", is_satisfiable, lambda v, f: v.tag(f, "mixed", "stated", "hidden")),
    ("same-opening", "another one", longer_than(2), open_otherwise),
    ("same-opening", "two", longer_than(2), lambda v, f: v.tag(f, "hidden", "stated", "stated", "hidden")),
    ("hides-one-or-two", "none", is_satisfiable, lambda v, f: v.tag(f, "hidden", "stated", "on_ask")),
    ("hides-one-or-two", "three", longer_than(3), lambda v, f: v.tag(f, "hidden", "stated", "hidden")),
    ("nvr-hides-one", "two", longer_than(2, nvr=True), lambda v, f: v.tag(f, "hidden", "stated", "hidden")),
    ("nvr-revealed-matches", "nothing is hidden", is_nvr, reveal_all_nvr),
    ("nvr-hidden-labels", "many countries", is_nvr, lambda v, f: v.ask(f, SF, ("country", "==", "Japan"))),
    (
        "hidden-rules-out-half",
        "English",
        is_satisfiable,
        lambda v, f: v.ask(f, SF, ("year", ">=", 1900), ("language", "==", "English")),
    ),
    ("no-implied-secret", "up to the last year", is_nvr, lambda v, f: v.ask(f, SF, ("year", "<=", 2026))),
    (
        "no-telling-label",
        "British English tells English",
        is_satisfiable,
        lambda v, f: v.ask(f, ("language", "==", "British English"), ("language", "==", "English")),
    ),
    ("one-format-or-any", "two", has_format, lambda v, f: v.set(f, accepted_formats=FORMATS[:2])),
    ("one-format-or-any", "an unknown one", has_format, lambda v, f: v.set(f, accepted_formats=("scroll",))),
    ("format-count", "one less", has_format, lambda v, f: v.set(f, accepted_formats=())),
    ("nvr-any-format", "one", is_nvr, lambda v, f: v.set(f, accepted_formats=("ebook",))),
    (
        "format-matters",
        "every answer without it is read",
        has_format,
        lambda v, f: v.set(
            f, history=tuple(v.ids(v.answers(f, read=False) & ~v.index.in_formats(f.lead.accepted_formats)))
        ),
    ),
    ("history-count", "one less", has_history, lambda v, f: v.set(f, history=())),
    ("history-two-hidden", "none left", has_history, no_two_hidden_histories),
    ("nvr-no-history", "one", is_nvr, lambda v, f: v.set(f, history=(v.catalog.books[0].id,))),
    ("history-ids", "an unknown book", has_history, lambda v, f: v.read_also(f, "wd_Q0")),
    ("history-ids", "outside the 5k", has_history, lambda v, f: v.read_also(f, v.catalog.books[-1].id)),
    ("history-ids", "one twice", has_history, lambda v, f: v.read_also(f, f.lead.history[0])),
    ("history-one-valid", "none", has_history, lambda v, f: v.unread(f, *v.ids(v.answers(f, read=True)))),
    (
        "history-one-valid",
        "two",
        has_history,
        lambda v, f: v.read_also(f, v.ids(v.answers(f, read=False))[0]),
    ),
    ("history-near-misses", "one is gone", has_history, lambda v, f: v.unread(f, near_miss(v, f))),
    ("history-near-misses", "one is there twice", has_history, lambda v, f: v.read_also(f, near_miss(v, f))),
    ("history-nothing-else", "a stranger", has_history, lambda v, f: v.read_also(f, stranger(v, f))),
    (
        "history-tells-nothing",
        "the answer alone",
        has_history,
        lambda v, f: v.set(f, history=tuple(v.ids(v.answers(f, read=True)))),
    ),
    ("panel-count", "one less", in_block, lambda v, f: v.set(f, panel=False)),
    ("panel-count", "an NVR one too many", in_block, swap_panel),
    ("reliability-count", "one less", in_block, lambda v, f: v.set(f, reliability=False)),
    ("reliability-in-panel", "outside", in_block, lambda v, f: v.set(f, panel=False)),
)


def _refuse(total: int, page: list[str]) -> tuple[int, list[str]]:
    raise ValueError(f"{total} of {len(page)}")


BROKEN_TOOLS: tuple[tuple[str, Callable[[int, list[str]], tuple[int, list[str]]]], ...] = (
    ("tool-runs", _refuse),
    ("tool-total", lambda total, page: (total - 1, page)),
    ("tool-page", lambda total, page: (total, page[1:])),
)


@pytest.fixture(scope="module")
def valid() -> ValidSet:
    """Return a set generated over the embedded catalog."""
    catalog = load_catalog()
    engines = {size: StructuredSearch(catalog.prefix(size)) for size in catalog.sizes}
    index = Index(catalog.books, catalog.trees, catalog.sizes)
    return ValidSet(catalog, list(generate(catalog, SEED)), index, engines)


def found(subject: Subject) -> set[tuple[str, str]]:
    """Return the families and rules that the validator names."""
    return {(problem.family, problem.rule) for rule in CHECKS for problem in rule.problems(subject)}


def test_the_generated_set_breaks_no_rule(valid: ValidSet) -> None:
    """A generated set has no problem at any size, with the plugin's structured search as the tool."""
    assert validate(valid.catalog, valid.tasks, valid.search) == []


@pytest.mark.parametrize(
    ("rule", "words", "pick", "change"), BROKEN_SETS, ids=[f"{r}: {w}" for r, w, _, _ in BROKEN_SETS]
)
def test_a_broken_set_is_found_with_family_and_rule(
    valid: ValidSet, rule: str, words: str, pick: Pick, change: Callable[[ValidSet, Family], Tasks]
) -> None:
    """Each way of breaking a set is found under its rule, in the family that was broken."""
    family = next(family for family in valid.families() if pick(family))
    named = WHOLE_SET if rule in COUNTED else family.name
    assert (named, rule) in found(Subject.of(valid.index, change(valid, family)))


@pytest.mark.parametrize(("rule", "change"), BROKEN_TOOLS, ids=[rule for rule, _ in BROKEN_TOOLS])
def test_a_broken_tool_is_found_with_family_and_rule(
    valid: ValidSet, rule: str, change: Callable[[int, list[str]], tuple[int, list[str]]]
) -> None:
    """A tool that goes wrong for one genre is found in the satisfiable families that ask for it, and nowhere else."""

    def wrong(size: int, filters: Mapping[str, Any]) -> tuple[int, list[str]]:
        answer = valid.search(size, filters)
        return change(*answer) if filters.get("genre") == "Fantasy" else answer

    tool: Search = wrong
    subject = Subject.of(valid.index, valid.tasks, tool)
    asking = {f.name for f in subject.satisfiable if ("genre", "contains", "Fantasy") in asked(f)}
    assert asking
    assert found(subject) == {(name, rule) for name in asking}


def test_every_rule_is_broken_by_something_here() -> None:
    """No rule of the table lacks a broken set or a broken tool of its own."""
    assert {row[0] for row in BROKEN_SETS} | {rule for rule, _ in BROKEN_TOOLS} == set(RULES)
