"""Each rule of the validator on small worlds made by hand: where exactly it starts to object."""

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Predicate
from recfw_books.model import Book, BookTask
from recfw_books.validate import RULES
from recfw_books.validate.index import Index
from recfw_books.validate.rules import CHECKS
from recfw_books.validate.subject import WHOLE_SET, Search, Subject
from recfw_books.validate.tool import queries

TREES = {"language": LabelTree({"English": ["British English"]}), "country": LabelTree({})}
BY_NAME = {rule.name: rule for rule in CHECKS}
WAR, DRAMA = ("genre", "contains", "War"), ("genre", "contains", "Drama")
ENGLISH, LATE, EARLY = ("language", "==", "English"), ("year", ">=", 1990), ("year", "<=", 2000)

Asked = tuple[str, str, Any]


def books(*groups: tuple[int, dict[str, Any]]) -> list[Book]:
    """Return groups of like books, numbered through; a group says how many, and what is unlike the usual."""
    usual = {"year": 1995, "genres": ("War",), "language": "English", "country": "Utopia", "formats": ("ebook",)}
    rows = [fields for count, fields in groups for _ in range(count)]
    return [
        Book(**{"id": f"b{n}", "title": f"Work {n}", "authors": ("A",), "sitelinks": 1, **usual, **row})
        for n, row in enumerate(rows)
    ]


def family(
    asked: Sequence[Asked], hidden: Sequence[int] = (-1,), name: str = "f1", **fields: Any
) -> tuple[BookTask, BookTask, BookTask]:
    """Return a family's three variants: the first predicate opens, those at ``hidden`` are withheld."""
    withheld = {place % len(asked) for place in hidden}
    tags = {
        "volunteer": ["stated"] * len(asked),
        "mixed": ["stated"] + ["on_ask"] * (len(asked) - 1),
        "hidden": ["hidden" if n in withheld else "on_ask" if n else "stated" for n in range(len(asked))],
    }
    usual = {
        "tier": {2: "simple", 5: "complex"}.get(len(asked), "medium"),
        "template": "t",
        "nvr": False,
        "accepted_formats": (),
        "history": (),
        "persona": "reads on trains",
        "panel": False,
        "reliability": False,
    }
    volunteer, mixed, secret = (
        BookTask(
            id=f"{name}-{condition}",
            family=name,
            condition=condition,
            predicates=tuple(Predicate(*ask, tag) for ask, tag in zip(asked, tags[condition], strict=True)),
            **{**usual, **fields},
        )
        for condition in tags
    )
    return volunteer, mixed, secret


def broken(rule: str, catalog: list[Book], *tasks: BookTask, search: Search | None = None, small: int = 0) -> list[str]:
    """Return the families in which a rule is broken; the smaller catalog has ``small`` books (default: all)."""
    sizes = sorted({small or len(catalog), len(catalog)})
    subject = Subject.of(Index(catalog, TREES, sizes), tasks, search)
    return [problem.family for problem in BY_NAME[rule].problems(subject)]


def families(count: int, nvr: int = 0, **fields: Any) -> list[BookTask]:
    """Return many families, the first ``nvr`` of them without an answer."""
    made = (family([WAR, DRAMA], name=f"f{n}", nvr=n < nvr, **fields) for n in range(count))
    return [task for variants in made for task in variants]


ONE = books((1, {}))


def test_every_rule_has_a_name_of_its_own_and_a_sentence() -> None:
    """The table of rules holds each check once, in kebab case, with a sentence."""
    shapes = {(name == name.lower() and " " not in name, sentence.endswith(".")) for name, sentence in RULES.items()}
    assert (len(RULES), shapes) == (len(CHECKS), {(True, True)})


def test_a_problem_reads_as_family_rule_and_words() -> None:
    """A problem's text names the family first and the rule next."""
    subject = Subject.of(Index(ONE, TREES, [1]), family([WAR, DRAMA], persona=" "))
    assert [str(p) for p in BY_NAME["persona"].problems(subject)] == ["f1: persona: its persona is empty."]


def test_a_family_by_the_rules_breaks_none_of_the_family_rules() -> None:
    """A satisfiable family with a format and a history, and an NVR one, break only rules that count the whole set."""
    catalog = books(
        (4, {"genres": ("War", "Drama")}),
        (1, {"genres": ("War", "Drama"), "formats": ("paperback",)}),
        (30, {"language": "French"}),
        (5, {"genres": ("Drama",), "language": "French"}),
        (3, {"year": 2000}),
    )
    good = family([WAR, DRAMA], accepted_formats=("ebook",), history=("b0", "b5"))
    nothing = family([DRAMA, ("year", ">=", 1996)], name="f2", nvr=True, template="u")
    subject = Subject.of(Index(catalog, TREES, [len(catalog)]), [*good, *nothing])
    found = [problem for rule in CHECKS for problem in rule.problems(subject)]
    assert {problem.family for problem in found} == {WHOLE_SET}


@pytest.mark.parametrize(
    ("change", "expected"),
    [({}, []), ({"persona": "x"}, ["f1"]), ({"panel": True}, ["f1"]), ({"history": ("b0",)}, ["f1"])],
)
def test_variants_may_differ_in_tags_only(change: dict[str, Any], expected: list[str]) -> None:
    """Another persona, block or history in one variant is found."""
    volunteer, mixed, hidden = family([WAR, DRAMA])
    assert broken("same-but-reveal", ONE, volunteer, mixed, evolve(hidden, **change)) == expected


def test_variants_keep_the_order_of_predicates() -> None:
    """A variant that lists the same predicates in another order is found."""
    volunteer, mixed, hidden = family([WAR, DRAMA])
    turned = evolve(mixed, predicates=mixed.predicates[::-1])
    assert broken("same-but-reveal", ONE, volunteer, turned, hidden) == ["f1"]


def test_a_missing_variant_is_found_and_nothing_else_fails_on_it() -> None:
    """Without its hidden variant a family breaks one family rule, and every rule still runs."""
    volunteer, mixed, _ = family([WAR, DRAMA])
    catalog = books((1, {"genres": ("War", "Drama")}), (1, {}), (1, {"genres": ("Drama",)}))
    subject = Subject.of(Index(catalog, TREES, [3]), (volunteer, mixed))
    found = {p.rule for rule in CHECKS for p in rule.problems(subject) if p.family != WHOLE_SET}
    assert found == {"family-variants"}


def test_an_empty_set_breaks_what_counts_and_nothing_else() -> None:
    """Without any task every rule still runs, and only counts are off."""
    found = [p for rule in CHECKS for p in rule.problems(Subject.of(Index(ONE, TREES, [1]), []))]
    assert ({p.family for p in found}, len(found)) == ({WHOLE_SET}, 8)


@pytest.mark.parametrize(("count", "tier", "expected"), [(2, "simple", []), (3, "medium", []), (4, "medium", [])])
def test_tiers_have_their_numbers_of_predicates(count: int, tier: str, expected: list[str]) -> None:
    """Two, three and four predicates sit in their tiers."""
    asked = [WAR, DRAMA, LATE, EARLY, ENGLISH][:count]
    assert broken("tier-count", ONE, *family(asked, tier=tier)) == expected


@pytest.mark.parametrize(("count", "tier"), [(3, "simple"), (2, "medium"), (5, "medium"), (4, "complex"), (2, "easy")])
def test_another_number_of_predicates_is_found(count: int, tier: str) -> None:
    """A tier with one predicate too many or too few, and an unknown tier, are found."""
    asked = [WAR, DRAMA, LATE, EARLY, ENGLISH][:count]
    assert broken("tier-count", ONE, *family(asked, tier=tier)) == ["f1"]


def test_the_odd_family_of_a_template_is_named() -> None:
    """Where two families of a template agree and a third does not, the third is named."""
    tasks = [*family([WAR, LATE]), *family([DRAMA, LATE], name="f2"), *family([WAR, EARLY], name="f3")]
    assert broken("template-fixed", ONE, *tasks) == ["f3"]


def test_two_names_for_one_combination_are_found() -> None:
    """A template that repeats another under a new name is found in its families."""
    tasks = [*family([WAR, LATE]), *family([DRAMA, LATE], name="f2"), *family([WAR, LATE], name="f3", template="u")]
    assert broken("template-distinct", ONE, *tasks) == ["f3"]


def test_two_families_with_one_request_are_found_in_any_order() -> None:
    """The same predicates in another order are the same request."""
    assert broken("distinct-requests", ONE, *family([WAR, LATE]), *family([LATE, WAR], name="f2")) == ["f1", "f2"]


@pytest.mark.parametrize(
    "ask", [("genre", "==", "War"), ("genre", "contains_any", ["War"]), ("year", "==", 1990), ("title", "==", "W")]
)
def test_an_illegal_pair_of_field_and_operator_is_found(ask: Asked) -> None:
    """Only the five legal pairs pass."""
    assert broken("legal-predicate", ONE, *family([WAR, ask])) == ["f1"]


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (("language", "==", "British English"), ["f1"]),  # in the tree, on no book
        (("language", "==", "Klingon"), ["f1"]),
        (("genre", "contains", "Cooking"), ["f1"]),
        (("genre", "contains", "Drama"), ["f1"]),  # one of the 19, on no book
        (("year", "<=", 1459), ["f1"]),
        (("year", "<=", 1990.5), ["f1"]),
        (("year", "<=", 1460), []),
        (("year", ">=", 2026), []),
        (ENGLISH, []),
    ],
)
def test_values_come_from_the_catalog(ask: Asked, expected: list[str]) -> None:
    """A label without a book and a year outside the catalog's are found."""
    assert broken("known-value", ONE, *family([WAR, ask])) == expected


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ("no-duplicate", [WAR, WAR]),
        ("no-clash", [ENGLISH, ("language", "==", "French")]),
        ("no-clash", [WAR, DRAMA, ("genre", "contains", "Horror")]),
        ("no-clash", [WAR, EARLY, ("year", "<=", 1990)]),
        ("year-range", [WAR, ("year", ">=", 2001), ("year", "<=", 2000)]),
        ("language-or-country", [WAR, ENGLISH, ("country", "==", "Utopia")]),
        ("language-or-country", [ENGLISH, ("country", "==", "Utopia")]),
        ("has-genre", [ENGLISH, LATE]),
    ],
)
def test_predicates_that_do_not_go_together_are_found(rule: str, asked: list[Asked]) -> None:
    """Each kind of clash has its rule."""
    assert broken(rule, ONE, *family(asked)) == ["f1"]


@pytest.mark.parametrize("rule", ["no-duplicate", "no-clash", "year-range", "language-or-country", "has-genre"])
def test_the_richest_combination_clashes_nowhere(rule: str) -> None:
    """Two genres, a language and a range of one year go together."""
    asked = [WAR, DRAMA, ENGLISH, ("year", ">=", 2000), ("year", "<=", 2000)]
    assert broken(rule, ONE, *family(asked)) == []


@pytest.mark.parametrize(("answers", "added", "expected"), [(20, 1, []), (21, 1, ["f1"]), (40, 2, []), (1, 0, ["f1"])])
def test_a_predicate_is_material_from_five_percent_and_one_book_on(
    answers: int, added: int, expected: list[str]
) -> None:
    """Dropping the second genre adds exactly so many books; dropping the first adds plenty."""
    catalog = books(
        (answers, {"genres": ("War", "Drama")}), (added, {"genres": ("War",)}), (99, {"genres": ("Drama",)})
    )
    assert broken("material", catalog, *family([WAR, DRAMA])) == expected


def test_a_predicate_is_material_at_every_size() -> None:
    """A predicate that excludes something only in the larger catalog is found once, for the smaller."""
    catalog = books((3, {"genres": ("War", "Drama")}), (3, {"genres": ("Drama",)}), (3, {}))
    found = [broken("material", catalog, *family([WAR, DRAMA]), small=small) for small in (6, 7)]
    assert found == [["f1"], []]


def test_what_is_hidden_rules_out_half_at_every_size() -> None:
    """Half in the larger catalog alone does not do."""
    catalog = books((3, {"genres": ("War", "Drama")}), (3, {}))
    assert [broken("hidden-rules-out-half", catalog, *family([WAR, DRAMA]), small=n) for n in (5, 6)] == [["f1"], []]


def test_dropping_leaves_three_at_every_size() -> None:
    """Three matches in the larger catalog alone do not do."""
    catalog = books((3, {"genres": ("Drama",)}), (3, {}))
    assert [broken("nvr-drop-one", catalog, *family([WAR, DRAMA], nvr=True), small=n) for n in (5, 6)] == [["f1"], []]


def test_an_acceptable_answer_must_lie_in_the_smallest_catalog() -> None:
    """An answer that only the larger catalog holds does not do."""
    catalog = books((2, {}), (1, {"genres": ("War", "Drama")}))
    assert [broken("answerable", catalog, *family([WAR, DRAMA]), small=n) for n in (2, 3)] == [["f1"], []]


@pytest.mark.parametrize("extra", [{"history": ("b0",)}, {"accepted_formats": ("paperback",)}])
def test_an_acceptable_answer_is_unread_and_in_an_accepted_format(extra: dict[str, Any]) -> None:
    """The only answer does not do once it is read, or in another format."""
    catalog = books((1, {"genres": ("War", "Drama")}))
    assert broken("answerable", catalog, *family([WAR, DRAMA], **extra)) == ["f1"]


def test_an_nvr_family_is_empty_at_every_size() -> None:
    """An answer in the larger catalog alone is found once, one in the smaller at both sizes."""
    nvr = family([WAR, DRAMA], nvr=True)
    late = books((5, {}), (1, {"genres": ("War", "Drama")}))
    assert [broken("nvr-empty", late, *nvr, small=5), broken("nvr-empty", late[::-1], *nvr, small=5)] == [
        ["f1"],
        ["f1", "f1"],
    ]


@pytest.mark.parametrize(("left", "expected"), [(3, []), (2, ["f1"])])
def test_dropping_any_predicate_of_an_nvr_family_leaves_three(left: int, expected: list[str]) -> None:
    """Three matches do, two are too few."""
    catalog = books((left, {}), (9, {"genres": ("Drama",)}))
    assert broken("nvr-drop-one", catalog, *family([WAR, DRAMA], nvr=True)) == expected


@pytest.mark.parametrize(
    ("rule", "condition", "tags"),
    [
        ("volunteer-tells-all", "volunteer", ["stated", "stated", "on_ask"]),
        ("mixed-tells-one", "mixed", ["stated", "stated", "on_ask"]),
        ("mixed-tells-one", "mixed", ["on_ask", "on_ask", "on_ask"]),
        ("mixed-tells-one", "mixed", ["stated", "on_ask", "hidden"]),
        ("same-opening", "hidden", ["on_ask", "stated", "hidden"]),
        ("same-opening", "hidden", ["stated", "stated", "hidden"]),
        ("same-opening", "hidden", ["on_ask", "on_ask", "hidden"]),
        ("hides-one-or-two", "hidden", ["stated", "on_ask", "on_ask"]),
        ("hides-one-or-two", "hidden", ["hidden", "hidden", "hidden"]),
    ],
)
def test_wrong_reveal_tags_are_found(rule: str, condition: str, tags: list[str]) -> None:
    """Each variant's tags have their rule; before the change there is nothing to find."""
    tasks = family([WAR, DRAMA, LATE])
    retagged = [
        evolve(task, predicates=tuple(evolve(p, reveal=tag) for p, tag in zip(task.predicates, tags, strict=True)))
        if task.condition == condition
        else task
        for task in tasks
    ]
    assert [broken(rule, ONE, *tasks), broken(rule, ONE, *retagged)] == [[], ["f1"]]


def test_an_nvr_family_hides_exactly_one() -> None:
    """Two hidden predicates are fine for the satisfiable, one too many for an NVR family."""
    found = [broken("nvr-hides-one", ONE, *family([WAR, DRAMA, LATE], (1, 2), nvr=nvr)) for nvr in (False, True)]
    assert found == [[], ["f1"]]


@pytest.mark.parametrize(("poor", "matches", "expected"), [(3, 24, []), (4, 25, []), (4, 24, ["f0", "f1", "f2", "f3"])])
def test_three_nvr_families_may_have_few_revealed_matches(poor: int, matches: int, expected: list[str]) -> None:
    """From the fourth family with fewer than 25 revealed matches on, all of them are named."""
    assert broken("nvr-revealed-matches", books((matches, {})), *families(poor, nvr=poor)) == expected


@pytest.mark.parametrize(("labels", "expected"), [(16, []), (17, ["f1"])])
def test_an_nvr_family_hides_a_label_among_sixteen(labels: int, expected: list[str]) -> None:
    """The labels that revealed matches carry are counted; books that do not match do not count."""
    catalog = books(
        *((1, {"country": f"Land {n}"}) for n in range(labels)), (1, {"country": "Elsewhere", "genres": ("Drama",)})
    )
    tasks = family([WAR, ("country", "==", "Elsewhere")], nvr=True)
    assert broken("nvr-hidden-labels", catalog, *tasks) == expected


@pytest.mark.parametrize(("kept", "lost", "expected"), [(10, 10, []), (11, 10, ["f1"])])
def test_what_is_hidden_rules_out_half(kept: int, lost: int, expected: list[str]) -> None:
    """Exactly half does."""
    catalog = books((kept, {"genres": ("War", "Drama")}), (lost, {}))
    assert broken("hidden-rules-out-half", catalog, *family([WAR, DRAMA])) == expected


def test_a_hidden_predicate_that_the_revealed_ones_imply_is_found() -> None:
    """All war books are in English: hiding the language beside a hidden genre gives it away."""
    catalog = books((3, {}), (3, {"genres": ("War", "Drama")}), (3, {"genres": ("Drama",), "language": "French"}))
    assert broken("no-implied-secret", catalog, *family([WAR, DRAMA, ENGLISH], (1, 2))) == ["f1"]


@pytest.mark.parametrize(
    ("told", "secret", "expected"),
    [("British English", "English", ["f1"]), ("English", "British English", ["f1"]), ("English", "French", [])],
)
def test_a_label_does_not_tell_its_parent_or_child(told: str, secret: str, expected: list[str]) -> None:
    """A revealed label related to a hidden one of the same field is found."""
    assert broken("no-telling-label", ONE, *family([("language", "==", told), ("language", "==", secret)])) == expected


def test_a_bound_does_not_tell_the_other_bound_of_its_year() -> None:
    """A range of one year may reveal one bound and hide the other: years are no labels."""
    assert broken("no-telling-label", ONE, *family([WAR, ("year", "<=", 1995), ("year", ">=", 1995)])) == []


@pytest.mark.parametrize(
    ("accepted", "expected"), [((), []), (("ebook",), []), (("scroll",), ["f1"]), (("ebook", "paperback"), ["f1"])]
)
def test_one_known_format_or_any(accepted: tuple[str, ...], expected: list[str]) -> None:
    """Two formats, or an unknown one, are found."""
    assert broken("one-format-or-any", ONE, *family([WAR, DRAMA], accepted_formats=accepted)) == expected


@pytest.mark.parametrize(("lacking", "history", "expected"), [(1, (), []), (0, (), ["f1"]), (1, ("b0",), ["f1"])])
def test_a_format_matters_to_an_unread_answer(lacking: int, history: tuple[str, ...], expected: list[str]) -> None:
    """Where every answer has the format, or only a read one lacks it, the format is idle."""
    catalog = books((lacking, {"formats": ("paperback",)}), (3, {}))
    tasks = family([WAR, ENGLISH], accepted_formats=("ebook",), history=history)
    assert broken("format-matters", catalog, *tasks) == expected


def test_a_format_matters_in_the_smallest_catalog() -> None:
    """A book without the format that only the larger catalog holds does not do."""
    catalog = books((3, {}), (1, {"formats": ("paperback",)}))
    tasks = family([WAR, ENGLISH], accepted_formats=("ebook",))
    assert [broken("format-matters", catalog, *tasks, small=n) for n in (3, 4)] == [["f1"], []]


READ = books(
    (2, {"genres": ("War", "Drama")}),  # b0, b1: valid
    (2, {"genres": ("War",)}),  # b2, b3: fail Drama alone
    (1, {"genres": ("War", "Drama"), "year": 1980}),  # b4: fails the year alone
    (1, {"genres": ("War",), "year": 1980}),  # b5: fails both
    (1, {"genres": ("Drama",)}),  # b6: fails the stated genre
)


@pytest.mark.parametrize(
    ("rule", "history", "expected"),
    [
        ("history-one-valid", ("b0", "b2", "b4"), 0),
        ("history-one-valid", ("b0", "b1", "b2", "b4"), 1),
        ("history-one-valid", ("b2", "b4"), 1),
        ("history-near-misses", ("b0", "b2", "b4"), 0),
        ("history-near-misses", ("b0", "b4"), 1),
        ("history-near-misses", ("b0", "b2", "b3", "b4"), 1),
        ("history-near-misses", ("b0", "b5"), 2),
        ("history-nothing-else", ("b0", "b2", "b4"), 0),
        ("history-nothing-else", ("b0", "b2", "b4", "b5"), 1),
        ("history-nothing-else", ("b0", "b2", "b4", "b6"), 1),
        ("history-tells-nothing", ("b0", "b2", "b4"), 0),
        ("history-tells-nothing", ("b0", "b2"), 1),
        ("history-tells-nothing", ("b0",), 2),
        ("history-ids", ("b0", "b2", "b4"), 0),
        ("history-ids", ("b0", "b0"), 1),
        ("history-ids", ("b0", "b6"), 1),
        ("history-ids", ("b0", "zz"), 1),
    ],
)
def test_a_history_is_one_answer_and_the_near_misses(rule: str, history: tuple[str, ...], expected: int) -> None:
    """One valid book and one book for each hidden predicate, of the smallest catalog (six books), and no other."""
    tasks = family([WAR, DRAMA, LATE], (1, 2), history=history)
    assert broken(rule, READ, *tasks, small=6) == ["f1"] * expected


@pytest.mark.parametrize("rule", ["nvr-no-history", "nvr-any-format"])
def test_only_satisfiable_families_have_histories_and_formats(rule: str) -> None:
    """The same extras are found in an NVR family only."""
    extras: dict[str, Any] = {"history": ("b0",), "accepted_formats": ("ebook",)}
    found = [broken(rule, ONE, *family([WAR, DRAMA], nvr=nvr, **extras)) for nvr in (False, True)]
    assert found == [[], ["f1"]]


@pytest.mark.parametrize(
    "rule",
    [
        "material",
        "answerable",
        "format-matters",
        "history-one-valid",
        "history-near-misses",
        "history-nothing-else",
        "history-tells-nothing",
    ],
)
def test_rules_of_satisfiable_families_leave_nvr_families_alone(rule: str) -> None:
    """What is found in a satisfiable family that has nothing right is no finding in an NVR one."""
    catalog = books((1, {"genres": ("Drama",), "year": 1980}))
    extras: dict[str, Any] = {"history": ("b0",), "accepted_formats": ("ebook",)}
    found = [set(broken(rule, catalog, *family([WAR, LATE], nvr=nvr, **extras))) for nvr in (False, True)]
    assert found == [{"f1"}, set()]


def test_an_nvr_rule_leaves_satisfiable_families_alone() -> None:
    """A satisfiable family may hide a country among more than sixteen."""
    catalog = books(*((1, {"country": f"Land {n}"}) for n in range(17)))
    assert broken("nvr-hidden-labels", catalog, *family([WAR, ("country", "==", "Land 1")])) == []


@pytest.mark.parametrize("book_id", ["", "f1-mixed"])
def test_an_id_that_is_empty_or_taken_is_found(book_id: str) -> None:
    """The family whose task has no id of its own is named."""
    other = family([WAR, LATE], name="f2")
    tasks = [*family([WAR, DRAMA]), evolve(other[0], id=book_id), *other[1:]]
    assert [broken("unique-ids", ONE, *tasks), broken("unique-ids", ONE, *tasks[:3], *other)] == [["f2"], []]


@pytest.mark.parametrize(("two", "expected"), [(11, [WHOLE_SET]), (12, []), (22, []), (23, [WHOLE_SET])])
def test_about_seventeen_histories_hide_two(two: int, expected: list[str]) -> None:
    """From 12 to 22 families with a history may hide two predicates."""
    tasks = [t for n in range(two) for t in family([WAR, DRAMA, LATE], (1, 2), name=f"f{n}", history=("b0",))]
    assert broken("history-two-hidden", ONE, *tasks, *family([WAR, DRAMA, LATE], (1, 2), name="none")) == expected


@pytest.mark.parametrize(
    ("rule", "count", "fields"),
    [
        ("set-size", 150, {}),
        ("nvr-count", 15, {"nvr": 15}),
        ("format-count", 36, {"accepted_formats": ("ebook",)}),
        ("history-count", 48, {"history": ("b0",)}),
        ("panel-count", 51, {"nvr": 6, "panel": True}),
        ("reliability-count", 18, {"nvr": 3, "reliability": True}),
    ],
)
def test_counts_are_exact(rule: str, count: int, fields: dict[str, Any]) -> None:
    """The right number passes; one family less is found for the whole set."""
    tasks = families(count, **fields)
    assert [broken(rule, ONE, *tasks), broken(rule, ONE, *tasks[3:])] == [[], [WHOLE_SET]]


def test_thirteen_templates_are_demanded() -> None:
    """Thirteen names pass, twelve do not."""
    tasks = [task for n in range(13) for task in family([WAR, DRAMA], name=f"f{n}", template=f"t{n}")]
    assert [broken("template-count", ONE, *tasks), broken("template-count", ONE, *tasks[3:])] == [[], [WHOLE_SET]]


def test_the_reliability_block_lies_in_the_panel() -> None:
    """A family of the block outside the panel is named."""
    found = [
        broken("reliability-in-panel", ONE, *family([WAR, DRAMA], reliability=True, panel=p)) for p in (True, False)
    ]
    assert found == [[], ["f1"]]


SEARCHED = books((3, {"genres": ("War", "Drama")}), (30, {}), (30, {"genres": ("Drama",), "formats": ("paperback",)}))


def tool(size: int, filters: Any) -> tuple[int, list[str]]:
    """Search by plain comparison; it knows a genre, a year and formats."""
    found = [
        book.id
        for book in SEARCHED[:size]
        if filters["genre"] in book.genres
        and filters.get("year_min", 0) <= book.year <= filters.get("year_max", 3000)
        and ("formats" not in filters or set(filters["formats"]) & set(book.formats))
    ]
    return len(found), found[:20]


@pytest.mark.parametrize("rule", ["tool-runs", "tool-total", "tool-page"])
def test_a_right_tool_passes(rule: str) -> None:
    """By each genre, with and without the format, at both sizes, the plain search is right."""
    tasks = family([WAR, DRAMA, LATE, EARLY], accepted_formats=("ebook",))
    assert broken(rule, SEARCHED, *tasks, search=tool, small=10) == []


def test_the_tool_is_asked_for_every_genre_and_size_with_and_without_formats() -> None:
    """Two genres, two sizes and one format make eight calls with the filters that the tool has."""
    asked: list[tuple[int, dict[str, Any]]] = []

    def recording(size: int, filters: Any) -> tuple[int, list[str]]:
        asked.append((size, filters))
        return tool(size, filters)

    tasks = family([WAR, DRAMA, LATE, EARLY], accepted_formats=("ebook",))
    broken("tool-runs", SEARCHED, *tasks, search=recording, small=10)
    years = {"year_max": 2000, "year_min": 1990}
    plain = [(size, {"genre": genre, **years}) for genre in ("War", "Drama") for size in (10, 63)]
    assert asked == [call for size, f in plain for call in ((size, f), (size, {**f, "formats": ["ebook"]}))]


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("tool-runs", lambda total, page: 1 // 0),
        ("tool-total", lambda total, page: (total + 1, page)),
        ("tool-page", lambda total, page: (total, page[1:])),
        ("tool-page", lambda total, page: (total, [*page[1:], page[1]])),
        ("tool-page", lambda total, page: (total, [*page[1:], "b62"])),
        ("tool-page", lambda total, page: (total, [*page[1:], "zz"])),
    ],
)
def test_a_wrong_tool_is_found(rule: str, change: Any) -> None:
    """An error, a wrong total, and a page that is short, doubled or off the filters are each found."""
    tasks = family([WAR, LATE])
    assert broken(rule, SEARCHED, *tasks, search=lambda size, filters: change(*tool(size, filters))) == ["f1"]


@pytest.mark.parametrize("ask", [("language", "!=", "French"), ("year", ">=", 1991)])
def test_the_tool_is_not_asked_for_what_its_filters_cannot_say(ask: Asked) -> None:
    """An illegal predicate, or two lower bounds, are other rules' findings and no call."""
    tasks = family([WAR, LATE, ask])
    subject = Subject.of(Index(ONE, TREES, [1]), tasks)
    assert list(queries(subject.families[0], subject.index)) == []


def test_families_without_an_answer_are_not_asked_for() -> None:
    """The tool is run on satisfiable families only, and not at all where there is none."""
    nvr = family([WAR, LATE], nvr=True)
    assert broken("tool-runs", SEARCHED, *nvr, search=lambda size, filters: 1 // 0) == []  # type: ignore[arg-type, return-value]
