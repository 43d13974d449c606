"""The validator finds each fault that it is there to find, in tasks that were right before."""

import copy
import functools

import pytest
from attrs import evolve

from recfw.model.draws import Draws
from recfw_orchestration.tasks import pool
from recfw_orchestration.tasks.records import workflow_of
from recfw_orchestration.validate import RULES, validate, whole
from recfw_orchestration.validate.reading import read


def first(holds):
    """Return the first shipped task of which something holds."""
    return next(task for task in pool.shipped().tasks if holds(task, workflow_of(task)))


def of(level, domain="electronics"):
    """Return the first shipped task of a level."""
    return first(lambda task, _: (task.facets["level"], task.facets["domain"]) == (level, domain))


def uses(*tools):
    """Return the first shipped task that uses some tools."""
    return first(lambda _, flow: set(tools) <= {call.tool for call in flow.calls})


def changed(task, change):
    """Return a task whose deep copy was changed."""
    made = copy.deepcopy(task)
    change(made)
    return made


def calls(task):
    """Return the rows of a task's gold calls."""
    return task.private["gold"]["calls"]


def drop_last(task):
    """Leave the last candidate out until 19 are left, the target kept."""
    kept = [each for each in task.public["candidates"] if each != task.private["target"]][:18]
    task.public["candidates"] = [*kept, task.private["target"]]


def set_text(task, text):
    """Make the request another."""
    task.public["instruction"] = text


def argument(task, name):
    """Return the first gold argument of a name."""
    return next(call["arguments"][name] for call in calls(task) if name in call["arguments"])


def first_argument(task):
    """Return the first argument of the first gold call."""
    return next(iter(calls(task)[0]["arguments"].values()))


def rating_call(task):
    """Return the row of the rating filter."""
    return next(call for call in calls(task) if call["tool"] == "filter_products_by_rating")


def stranger(task):
    """Make another candidate the target."""
    task.private["target"] = next(each for each in task.public["candidates"] if each != task.private["target"])


def swap_user(task):
    """Let somebody else have asked."""
    task.public["user_id"] = next(
        other.public["user_id"]
        for other in pool.shipped().tasks
        if other.facets["domain"] == task.facets["domain"] and other.private["target"] != task.private["target"]
    )


def fixed(value, kind="exact"):
    """Return an argument with one value."""
    return {"values": [value], "kind": kind, "tolerance": 0.0, "optional": False, "origin": None}


def add_decoration(task):
    """Add a call that all candidates pass."""
    arguments = {"item_ids": fixed(task.public["candidates"], "set"), "min_rating": fixed(1)}
    call = {"id": "c9", "tool": "filter_products_by_rating", "arguments": arguments, "after": [], "limit": 50}
    calls(task).append(call)


def word_without_meaning(task):
    """Let a phrase hold a word that stands for nothing."""
    phrase = task.private["phrases"][0]
    phrase["words"], phrase["values"] = {"min_rating": "One"}, {"min_rating": 4}


def no_words(task):
    """Take every number out of the request, and the meaning out of its phrases."""
    task.public["instruction"] = "Please find something."
    task.private["phrases"] = []


def needed_category(flow):
    """Tell whether the first category is one of a search, and may not be left out."""
    found = [(call.tool, call.arguments["category"]) for call in flow.calls if "category" in call.arguments]
    return bool(found) and found[0][0].startswith("search_") and not found[0][1].optional


def several_lists(flow):
    """Tell whether a later list may be another than gold's, and than all that the earlier calls name."""
    lists = [one for call in flow.calls for one in call.arguments.values() if one.origin and one.kind == "set"]
    return any(len(one.values) > 2 for one in lists)


def keep_first(call):
    """Allow no other value of a call's arguments than gold's."""
    for one in call["arguments"].values():
        one["values"] = one["values"][:1]


FAULTS = {
    "a part is missing": (lambda: of("L1"), lambda t: t.private.pop("target"), "form"),
    "an answer rule without a call": (lambda: of("L2"), lambda t: t.private["gold"].update(calls=[]), "form"),
    "a kind of comparison that is none": (lambda: of("L1"), lambda t: first_argument(t).update(kind="odd"), "form"),
    "a key that nothing reads": (lambda: of("L1"), lambda t: first_argument(t).update(colour="red"), "form"),
    "a part that nothing reads": (lambda: of("L1"), lambda t: t.public.update(hint="red"), "form"),
    "a number in letters": (
        lambda: uses("filter_products_by_rating"), lambda t: argument(t, "min_rating").update(values=["four"]), "form"
    ),
    "a negative tolerance": (lambda: of("L1"), lambda t: first_argument(t).update(tolerance=-1.0), "form"),
    "an argument that its tool does not have": (
        lambda: of("L3"), lambda t: calls(t)[0]["arguments"].update(kind=fixed("web")), "schema"
    ),
    "a call before its producer": (lambda: of("L3"), lambda t: calls(t).reverse(), "form"),
    "too few candidates": (lambda: of("L1"), drop_last, "candidates"),
    "a candidate twice": (
        lambda: of("L1"), lambda t: t.public["candidates"].append(t.public["candidates"][0]), "candidates"
    ),
    "an unknown candidate": (lambda: of("L1"), lambda t: t.public["candidates"].append("F0NOWHERE"), "candidates"),
    "the target left out": (
        lambda: of("L1"), lambda t: t.public["candidates"].remove(t.private["target"]), "candidates"
    ),
    "a tool too many": (lambda: of("L1"), lambda t: t.public["tools"].append("check_open"), "candidates"),
    "another target": (lambda: of("L2"), stranger, "held-out"),
    "another user": (lambda: of("L2"), swap_user, "held-out"),
    "an unknown user": (lambda: of("L2"), lambda t: t.public.update(user_id="NOBODY"), "held-out"),
    "an id in the request": (
        lambda: of("L1"), lambda t: set_text(t, f"{t.public['instruction']} Like {t.private['target']}."), "named"
    ),
    "a wrong number of rounds": (lambda: of("L4"), lambda t: t.private["gold"].update(rounds=9), "structure"),
    "a dependency not stated": (lambda: of("L4"), lambda t: calls(t)[-1].update(after=[]), "structure"),
    "another level": (
        lambda: of("L2"), lambda t: (t.facets.update(level="L3"), t.private["gold"].update(level="L3")), "structure"
    ),
    "a phrase too many": (
        lambda: of("L1"), lambda t: t.private["phrases"].append(t.private["phrases"][0]), "ambiguity"
    ),
    "another ambiguity": (
        lambda: first(lambda t, _: t.facets["ambiguity"] == "low"),
        lambda t: t.facets.update(ambiguity="high"),
        "ambiguity",
    ),
    "a dependency on another field": (
        lambda: of("L3"), lambda t: calls(t)[-1]["after"][0].update(field="x"), "structure"
    ),
    "an argument that must be there, as optional": (
        lambda: uses("filter_products_by_rating"), lambda t: argument(t, "min_rating").update(optional=True), "schema"
    ),
    "a wording that is another": (
        lambda: of("L1"), lambda t: t.private["phrases"][0].update(pattern="so or so"), "consistency"
    ),
    "another allowed value that leads elsewhere": (
        lambda: uses("search_product_reviews"), lambda t: argument(t, "phrase")["values"].append("and"),
        "tolerance",
    ),
    "an argument without which the answer is another, as optional": (
        lambda: first(lambda _, flow: needed_category(flow)), lambda t: argument(t, "category").update(optional=True),
        "optional",
    ),
    "a list that follows from what may be left out, as wrong": (
        lambda: first(lambda _, flow: several_lists(flow)), lambda t: [keep_first(call) for call in calls(t)],
        "optional",
    ),
    "an aspect to the letter": (
        lambda: uses("analyze_product_sentiment"), lambda t: argument(t, "aspect").update(kind="exact"), "kinds"
    ),
    "a phrase that is not there": (
        lambda: of("L1"), lambda t: t.private["phrases"][0].update(text="not in it"), "consistency"
    ),
    "a word without meaning": (lambda: of("L1"), word_without_meaning, "consistency"),
    "nothing is told": (lambda: uses("filter_products_by_rating"), no_words, "solvability"),
    "an argument of the wrong type": (
        lambda: uses("filter_products_by_rating"),
        lambda t: argument(t, "min_rating").update(values=["four"], kind="exact", tolerance=0.0),
        "schema",
    ),
    "an unknown tool": (lambda: of("L1"), lambda t: calls(t)[0].update(tool="teleport"), "schema"),
    "a call that is refused": (
        lambda: uses("search_products"),
        lambda t: argument(t, "category").update(values=["Submarines"]),
        "execution",
    ),
    "a call that finds nothing": (
        lambda: uses("filter_products_by_rating"),
        lambda t: rating_call(t)["arguments"].update(min_reviews=fixed(100_000)),
        "execution",
    ),
    "a value that results do not give": (
        lambda: uses("get_shopper_history", "find_similar_products"),
        lambda t: argument(t, "item_id").update(values=["F0ELSEWHERE"]),
        "values",
    ),
    "an answer rule that leaves others": (
        lambda: of("L2"), lambda t: t.private["gold"]["answer"].update(keep=[], best=None), "answer"
    ),
    "a call that is decoration": (lambda: of("L1"), add_decoration, "material"),
    "a tolerance beyond which the answer is another": (
        lambda: uses("filter_products_by_rating"),
        lambda t: argument(t, "min_rating").update(tolerance=4.0),
        "tolerance",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def broken(world):
    """Return fault -> the rules that its task breaks, all found in one validation."""
    tasks = [evolve(changed(right(), change), id=name) for name, (right, change, _) in FAULTS.items()]
    rules = {name: set() for name in FAULTS}
    for problem in validate(world, tasks):
        rules.setdefault(problem.where, set()).add(problem.rule)
    return rules


def test_the_tasks_are_right_before(world):
    """Whatever is found in them later is the fault that was put there."""
    tasks = {right().id: right() for right, _, _ in FAULTS.values()}
    assert [problem for problem in validate(world, list(tasks.values())) if problem.where != "set"] == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_task_is_found(broken, name):
    """By the rule that it breaks."""
    assert FAULTS[name][2] in broken[name]


def set_rules(world, tasks, **more):
    """Return the rules that a set breaks as a whole."""
    return {problem.rule for problem in validate(world, tasks, **more) if problem.where == "set"}


ODD = (None, True, -1, 3.7, "", "x", [], ["a"], [1], {}, {"a": 1}, 1e308, "2026-99-99T10:10")


def places(value, at=()):
    """Yield the place of everything within a JSON value."""
    for name, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield (*at, name)
        yield from places(inner, (*at, name))


def spoilt(task, number):
    """Return a task in which something, somewhere, is another value, is gone or is doubled."""
    draws, made = Draws("spoilt", number), copy.deepcopy(task)
    halves = {"public": made.public, "private": made.private}
    *way, last = draws.choice([place for place in places(halves) if len(place) > 1])
    within = functools.reduce(lambda value, name: value[name], way, halves)
    match draws.choice(("set", "drop", "add")):
        case "set":
            within[last] = draws.choice(ODD)
        case "drop":
            del within[last]
        case _ if isinstance(within, dict):
            within["odd"] = draws.choice(ODD)
        case _:
            within.append(draws.choice(ODD))
    return evolve(made, id=f"spoilt-{number}")


def test_a_malformed_task_is_told_and_not_raised(world):
    """Whatever is changed in a task: most of it breaks a rule, and nothing stops the validation."""
    shipped = pool.shipped().tasks
    tasks = [spoilt(shipped[(37 * number) % len(shipped)], number) for number in range(120)]
    told = {problem.where for problem in validate(world, tasks)} - {"set"}
    assert len(told) > 80


@pytest.fixture(scope="module")
def few():
    """Return the places' L3 tasks: a whole cell."""
    return [t for t in pool.shipped().tasks if (t.facets["domain"], t.facets["level"]) == ("places", "L3")]


def target_first(task):
    """Put the target before all other candidates."""
    target, listed = task.private["target"], task.public["candidates"]
    task.public["candidates"] = [target, *(each for each in listed if each != target)]


def test_a_cell_is_right(world, few):
    """As a part of the set."""
    assert set_rules(world, few) == set()


def made_high(tasks):
    """Return a task whose ambiguity is not high as one that is."""
    task = next(task for task in tasks if task.facets["ambiguity"] != "high")
    return evolve(task, facets={**task.facets, "ambiguity": "high"})


def test_a_part_is_blamed_for_what_it_shows_alone(world, few):
    """Neither for what it lacks, nor for one target that happens to be the best known of its candidates."""
    levels = ("low", "moderate", "high")
    parts = [few[:1], few[:-1], *([t for t in few if t.facets["ambiguity"] == one] for one in levels)]
    assert [set_rules(world, part) for part in parts] == [set()] * len(parts)


def test_a_set_of_its_own_is_blamed_for_what_it_lacks(world, few):
    """Where these were all that were made together, 15 tasks are not spread as 16 are."""
    assert set_rules(world, few[:-1], cells={"places": {"L3": 15}}) == {"ambiguity"}


SET_FAULTS = {
    "a task too ambiguous": (
        lambda tasks: [*(t for t in tasks if t.facets["ambiguity"] == "high"), made_high(tasks)],
        "ambiguity",
    ),
    "an id twice": (lambda tasks: [*tasks[:-1], evolve(tasks[-1], id=tasks[0].id)], "repeated"),
    "a request twice": (
        lambda tasks: [changed(task, lambda t: set_text(t, tasks[0].public["instruction"])) for task in tasks],
        "repeated",
    ),
    "targets in front": (lambda tasks: [changed(task, target_first) for task in tasks], "marked"),
}


@pytest.mark.parametrize("name", SET_FAULTS)
def test_a_fault_in_a_set_is_found(world, few, name):
    """By the rule that it breaks."""
    change, rule = SET_FAULTS[name]
    assert rule in set_rules(world, change(list(few)))


def test_a_phrasing_in_too_many_tasks_is_found(world):
    """4 of 100 are too many, 3 are not; the tasks themselves are not looked at here."""
    cases = [read(task) for task in pool.shipped().tasks[:100]]

    def with_common(many):
        common = {"type": "vague_quantifier", "pattern": "so", "text": "", "words": {}, "values": {}}
        made = [evolve(case, phrases=(common,)) for case in cases[:many]] + cases[many:]
        return {rule for rule, words in whole.faults(made, world, whole=False, cells={}) if "'so'" in words}

    assert (with_common(3), with_common(4)) == (set(), {"phrasings"})


def test_a_whole_set_needs_counts_tools_and_phrasings(world, few):
    """A cell is none."""
    assert {"counts", "tools", "phrasings"} <= set_rules(world, few, complete=True)


def test_popular_targets_are_found(world, few):
    """Where the target is the most visited candidate in every task."""

    def best_known(task):
        target = task.private["target"]
        most = world.visits(target).checkins
        less = [each for each in world.item_ids("places") if world.visits(each).checkins < most and each != target]
        task.public["candidates"] = [target, *less[:20]]

    busy = [task for task in few if world.visits(task.private["target"]).checkins > 3]
    assert "popularity" in set_rules(world, [changed(task, best_known) for task in busy])


def test_the_table_of_rules_names_every_rule_that_is_tested():
    """And the other way round, but for what the set's tests cover."""
    tested = {rule for _, _, rule in FAULTS.values()}
    assert set(RULES) - tested == {"utility", "repeated", "phrasings", "popularity", "marked", "counts", "tools"}


def test_signals_of_one_server_are_found(world):
    """Two calls to the catalog are one signal."""
    task = of("L2")

    def narrow(made):
        for call in calls(made):
            call["tool"] = "get_product_details"

    rules = {problem.rule for problem in validate(world, [changed(task, narrow)])}
    assert "utility" in rules
