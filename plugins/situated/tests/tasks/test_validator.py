"""The validator finds each fault, and nothing in what ships."""

import pytest
from attrs import evolve

from recfw_situated.scenes.load import load_scene
from recfw_situated.tasks.generate import draw_tasks
from recfw_situated.tasks.pool import decode, encode, shipped
from recfw_situated.tasks.records import Acceptance, Disclosure, Wish
from recfw_situated.validate import RULES, validate

SCENES = {name: load_scene(name) for name in ("supermarket", "furnishings")}


def goal(task, **changes):
    """Return a task with a changed goal."""
    return evolve(task, goal=evolve(task.goal, **changes))


def profile(task, **changes):
    """Return a task with a changed profile."""
    return evolve(task, profile=evolve(task.profile, **changes))


FAULTS = {
    "target": lambda t: evolve(t, target="moon-dust"),
    "category": lambda t: goal(t, categories=("pasta",)),
    "labels": lambda t: goal(t, preferences=(Wish("lunar", "lunar"),)),
    "conflict": lambda t: goal(t, unwanted=t.goal.preferences[:1]),
    "target-fits": lambda t: goal(t, unwanted=t.goal.preferences[:1]),
    "budget": lambda t: goal(t, budget=t.goal.budget + 1),
    "reference": lambda t: evolve(t, reference=(*t.reference, "cocoa-comets")),
    "disclosure": lambda t: goal(t, disclosure=Disclosure("both", tuple(reversed(t.goal.disclosure.order)))),
    "words": lambda t: goal(t, use=f"a {SCENES['supermarket'].product_by_id[t.target].name}"),
    "levels": lambda t: goal(t, acceptance=Acceptance("open", "none", "ask")),
    "background": lambda t: profile(t, age_group="18 to 24", employment="retired"),
}


@pytest.mark.parametrize("rule", FAULTS)
def test_a_planted_fault_is_found(rule):
    """Each rule finds the fault that breaks it."""
    task = next(t for t in shipped() if t.scene == "supermarket" and t.profile.substitute_willingness == "low")
    found = validate(SCENES, [FAULTS[rule](task)], whole=False)
    assert rule in {problem.rule for problem in found}


def test_faults_of_a_bank_are_found():
    """A missing task, equal targets, one place, a wrong subset are found."""
    tasks = list(shipped())
    assert {"bank"} == {p.rule for p in validate(SCENES, tasks[1:])}
    moved = [evolve(tasks[0], subset=tasks[0].subset % 4 + 1), *tasks[1:]]
    assert ["subset"] == [p.rule for p in validate(SCENES, moved)]
    twin = [evolve(tasks[1], target=tasks[0].target), tasks[0]]
    assert "coverage" in {p.rule for p in validate(SCENES, twin, whole=False)}
    alike = [goal(task, use="the same") for task in tasks[:4]]
    assert ["the four tasks are of 1 uses, fewer than 4"] == [p.words for p in validate(SCENES, alike, whole=False)]


def test_every_rule_has_a_fault():
    """The tests above break every rule."""
    assert set(RULES) == {*FAULTS, "bank", "subset", "coverage"}


def test_what_ships_is_sound():
    """The 200 tasks that ship break no rule: 25 profiles and 100 tasks a scene, 25 a subset."""
    assert [] == validate(SCENES, shipped())
    assert (200, 50) == (len(shipped()), len({task.profile.id for task in shipped()}))
    for name in SCENES:
        assert [25] * 4 == [sum(t.subset == n and t.scene == name for t in shipped()) for n in (1, 2, 3, 4)]


def test_what_ships_is_what_the_generator_draws():
    """The shipped pool is drawn again byte by byte, and survives as a file."""
    assert encode(draw_tasks(SCENES)) == encode(list(shipped()))
    assert list(shipped()) == decode(encode(list(shipped())), "pool")


def test_another_seed_is_sound_too():
    """Pools of other seeds differ and break no rule."""
    drawn = draw_tasks(SCENES, 7)
    assert encode(drawn) != encode(list(shipped()))
    assert [] == validate(SCENES, drawn)
