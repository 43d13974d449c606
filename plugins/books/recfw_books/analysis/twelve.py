"""
The twelve tests of the paper (section 4.2), of whatever agents, sizes and users stored runs hold.

Tested alone, without correction: structured minus keyword search on the whole catalog, averaged over agents and
conditions. Corrected together by Holm's method: that difference for each agent; mixed minus volunteer over all families
and hidden minus volunteer over those that have an answer, both averaged over agents and interfaces; 5,000 books minus
all, for either interface, and the interaction of that with the interface (structured minus keyword at 5,000 minus the
same at all), over volunteer and mixed tasks as in the paper; each user that a model voices minus the rule-based one.
With the paper's four agents and two users that is 1 + 11.

Differences are paired: on the same task, or, between conditions, on the same family. An average is over the agents (and
interfaces) that have both sides, on the tasks that all of these have. Each difference has a bootstrap over families,
and an exact sign-flip test over the templates that are present.
"""

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, field, frozen

from recfw.model.task import Task
from recfw.stats.contrasts import adjust, average, pair, paired_contrasts
from recfw.stats.power import smallest_detectable_effect
from recfw.stats.results import DEFAULT_BOOTSTRAP, Bootstrap, Contrast, SignFlip
from recfw.stats.signflip import sign_flip
from recfw_books.analysis.enriched import KEPT
from recfw_books.analysis.settings import INTERFACES, RULES_USER
from recfw_books.analysis.study import SUCCESS, Study

SMALL = 5_000
"""The small catalog of the scale effects."""

SCALE_CONDITIONS = ("volunteer", "mixed")
"""Conditions of the scale effects: the paper ran no others on its small catalogs."""

Column = Mapping[str, float]


@frozen
class Plan:
    """
    One test before anything is computed.

    Args:
        name: As the paper's table 4 names it.
        key: For scripts, and for the paper's figure of the same test.
        corrected: Whether Holm's correction covers it.
        differences: Task (or family) -> difference, unscaled.
        over: What it is averaged over, or who plays both sides.
        missing: What the runs lack for it, in words; empty where they have it.
        left_out: Tasks (or families) that only some of what is averaged over have.
        kept: The differences without trials that ended by an overflow or at the tool budget; None where not asked for.
    """

    name: str
    key: str
    corrected: bool = True
    differences: Column = field(factory=dict, repr=False)
    over: tuple[str, ...] = ()
    missing: str = ""
    left_out: int = 0
    kept: Column | None = field(default=None, repr=False)


@frozen
class Tested:
    """
    One test with its results, in points.

    Args:
        plan: What was tested.
        contrast: Difference, interval and p value over families, adjusted where the test is corrected; None where the
            runs lack a side.
        templates: The exact sign-flip test over templates.
        detectable: The smallest true difference found with 80 % power, at the level 0.05 of this test alone.
        kept: The contrast without overflow and budget endings, uncorrected; None where not asked for.
        kept_templates: Its sign-flip test.
    """

    plan: Plan
    contrast: Contrast | None = None
    templates: SignFlip | None = None
    detectable: float | None = None
    kept: Contrast | None = None
    kept_templates: SignFlip | None = None


def plans(study: Study) -> tuple[Plan, ...]:
    """Return every test of the set, in the order of the paper's table 4, those the runs do not allow included."""
    return (
        _interface(study),
        *_interface_by_agent(study),
        _gap(study, "mixed", satisfiable=False),
        _gap(study, "hidden", satisfiable=True),
        _scale(study, "keyword"),
        _scale(study, "structured"),
        _interaction(study),
        *_users(study),
    )


def run_tests(study: Study, bootstrap: Bootstrap = DEFAULT_BOOTSTRAP) -> tuple[Tested, ...]:
    """Run every test that the runs allow; Holm's correction is over those of them that it covers."""
    planned = plans(study)
    ready = [plan for plan in planned if not plan.missing]
    columns = {f"all {plan.key}": plan.differences for plan in ready}
    columns |= {f"kept {plan.key}": plan.kept for plan in ready if plan.kept is not None}
    clusters, templates = units(study.tasks)
    contrasts = {found.name: found for found in paired_contrasts(columns, clusters, bootstrap)}
    corrected = adjust([contrasts[f"all {plan.key}"] for plan in ready if plan.corrected])
    contrasts |= {found.name: found for found in corrected}
    return tuple(Tested(plan) if plan.missing else _tested(plan, contrasts, templates) for plan in planned)


def _tested(plan: Plan, contrasts: Mapping[str, Contrast], templates: Mapping[str, str]) -> Tested:
    contrast, kept = contrasts[f"all {plan.key}"], contrasts.get(f"kept {plan.key}")
    return Tested(
        plan=plan,
        contrast=evolve(contrast, name=plan.name),
        templates=sign_flip(plan.differences, templates),
        detectable=detectable(contrast),
        kept=kept and evolve(kept, name=plan.name),
        kept_templates=None if plan.kept is None else sign_flip(plan.kept, templates),
    )


def detectable(contrast: Contrast) -> float | None:
    """Return the smallest true difference found with 80 % power; None where nothing varies, which tells nothing."""
    return smallest_detectable_effect(contrast) if contrast.standard_error else None


def units(tasks: Mapping[str, Task]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the family, and the template, of every task and of every family (under the name that `families` gives)."""
    clusters = {name: task.cluster for name, task in tasks.items()}
    templates = {name: task.facets.get("template", "") for name, task in tasks.items()}
    for task in tasks.values():
        clusters[_family(task)] = task.cluster
        templates[_family(task)] = task.facets.get("template", "")
    return clusters, templates


def _family(task: Task) -> str:
    return f"family\0{task.cluster}"


# --- The tests --------------------------------------------------------------------------------------------------------


def interface_differences(study: Study, figure: str = SUCCESS, **factors: str) -> dict[str, Column]:
    """Return agent -> structured minus keyword by task, for the agents of the tests that have both."""
    found: dict[str, Column] = {}
    for agent in study.chosen.agents:
        sides = [_column(study, agent, interface, figure, **factors) for interface in INTERFACES]
        if all(sides):
            found[agent] = pair(*sides).differences
    return {agent: differences for agent, differences in found.items() if differences}


def _interface(study: Study) -> Plan:
    each = interface_differences(study)
    missing = "" if each else f"no agent on both interfaces ({_how('interface')})"
    kept = interface_differences(study, KEPT)
    plan = _averaged("Interface, model-averaged", "interface", each, missing)
    return evolve(plan, corrected=False, kept=average(list(kept.values())) if kept else None)


def _interface_by_agent(study: Study) -> Iterable[Plan]:
    each, kept = interface_differences(study), interface_differences(study, KEPT)
    for agent in study.chosen.agents:
        name, key = f"Interface, {agent}", f"interface of {agent}"
        if agent in each:
            yield Plan(name, key, differences=each[agent], over=(agent,), kept=kept.get(agent))
        else:
            lacking = [i for i in INTERFACES if not _column(study, agent, i)]
            yield Plan(name, key, missing=f"{agent} on {' and '.join(lacking) or 'tasks of both interfaces'}")


def _gap(study: Study, condition: str, *, satisfiable: bool) -> Plan:
    each: dict[str, Column] = {}
    for agent in study.chosen.agents:
        for interface in INTERFACES:
            column = _column(study, agent, interface)
            sides = [families(study.tasks, column, name, satisfiable=satisfiable) for name in (condition, "volunteer")]
            differences = pair(*sides).differences
            if differences:
                each[f"{agent} {interface}"] = differences
    name = f"{condition.capitalize()} - volunteer ({'satisfiable' if satisfiable else 'all families'})"
    missing = "" if each else f"no agent with volunteer and {condition} tasks of the same families"
    return _averaged(name, f"{condition} gap", each, missing)


def _scale(study: Study, interface: str) -> Plan:
    each = _scale_differences(study, interface)
    missing = "" if each else f"no agent on {interface} at 5,000 books and at all ({_how('size')})"
    return _averaged(f"{interface.capitalize()}, 5k - whole", f"scale on {interface}", each, missing)


def _scale_differences(study: Study, interface: str) -> dict[str, Column]:
    found: dict[str, Column] = {}
    for agent in study.chosen.agents:
        sides = [_column(study, agent, interface, size=size) for size in (SMALL, 0)]
        differences = pair(*sides).differences
        asked = {
            task: d for task, d in differences.items() if study.tasks[task].facets["condition"] in SCALE_CONDITIONS
        }
        if asked:
            found[agent] = asked
    return found


def _interaction(study: Study) -> Plan:
    structured, keyword = (_scale_differences(study, interface) for interface in INTERFACES)
    each = {agent: pair(structured[agent], keyword[agent]).differences for agent in structured if agent in keyword}
    each = {agent: differences for agent, differences in each.items() if differences}
    missing = "" if each else f"no agent on both interfaces at 5,000 books and at all ({_how('size')})"
    return _averaged("Interface x scale", "interface x scale", each, missing)


def _users(study: Study) -> Iterable[Plan]:
    present = sorted(study.voiced)
    for user in present:
        each = {}
        for agent in study.chosen.agents:
            for interface in INTERFACES:
                sides = [_column(study, agent, interface, user=one) for one in (user, RULES_USER)]
                differences = pair(*sides).differences
                if differences:
                    each[f"{agent} {interface}"] = differences
        missing = "" if each else f"no agent with the user {user} and with {RULES_USER} on the same tasks"
        yield _averaged(f"User {user} - rule-based", f"user {user}", each, missing)
    for number in range(len(present) + 1, 3):
        name = "LLM user - rule-based" if not present and number == 1 else "Second LLM user - rule-based"
        yield Plan(name, f"user {number}", missing="no further user that a model voices (--user NAME)")


# --- Columns ----------------------------------------------------------------------------------------------------------


def _column(study: Study, agent: str, interface: str, figure: str = SUCCESS, **factors: str | int) -> Column:
    """Return task -> mean of a figure in a setting, over the chosen families; empty where nobody played it."""
    pool = study.pool(agent, interface, **factors)
    return pool.means(figure) if pool else {}


def families(tasks: Mapping[str, Task], column: Column, condition: str, *, satisfiable: bool) -> Column:
    """Return family -> value, of the tasks of one condition, all of them or those that have an answer."""
    return {
        _family(tasks[name]): value
        for name, value in column.items()
        if tasks[name].facets.get("condition") == condition
        and not (satisfiable and tasks[name].facets.get("nvr") == "yes")
    }


def _averaged(name: str, key: str, each: Mapping[str, Column], missing: str) -> Plan:
    columns: Sequence[Column] = list(each.values())
    differences = average(columns)
    if columns and not differences:
        missing = f"no task that all of {', '.join(each)} have on both sides"
    left_out = len({task for column in columns for task in column}) - len(differences)
    return Plan(name, key, differences=differences, over=tuple(each), missing=missing, left_out=left_out)


def _how(factor: str) -> str:
    return {
        "interface": "--interface structured --interface keyword",
        "size": "--set track.size=5000 --set track.size=0",
    }[factor]
