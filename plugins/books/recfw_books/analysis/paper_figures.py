"""The figures of ``books-paper`` for scripts: scores, counts, tests and intervals at full precision."""

from typing import Any

from attrs import asdict

from recfw.report.figures import COUNTING_RULE
from recfw.report.plain import plain_estimate
from recfw.stats.contrasts import P_VALUE
from recfw.stats.passk import ESTIMATOR
from recfw.stats.results import DEFAULT_BOOTSTRAP, Contrast, SignFlip
from recfw_books.analysis.beside import paper_data
from recfw_books.analysis.failure_modes import MODES
from recfw_books.analysis.failures import Failed
from recfw_books.analysis.found import Findings
from recfw_books.analysis.measures import AVERAGE, Measures, shares
from recfw_books.analysis.pairs import CONDITIONS, KINDS, Pairs
from recfw_books.analysis.paper import as_data
from recfw_books.analysis.study import Pool
from recfw_books.analysis.twelve import Tested


def figures(found: Findings) -> dict[str, Any]:
    """Return scores, counts, tests and intervals, in an order that is the settings' own."""
    study = found.study
    return {
        "track": study.runs[0].info.spec.track,
        "chosen": asdict(study.chosen),
        "tasks": len(study.in_block),
        "families": len({study.tasks[name].cluster for name in study.in_block}),
        "settings": {
            s.name: {"factors": asdict(s), "cells": len(pool.parts), **_trials(pool)} for s, pool in study.pools.items()
        },
        "tables": {s.name: _tables(found, s.name, pool) for s, pool in study.main.items()},
        "average": _passes(found, AVERAGE),
        "agents": {agent: _agent(found, agent) for agent in study.agents},
        "tests": [_test(one) for one in found.tested],
        "holm_over": sum(one.plan.corrected and one.contrast is not None for one in found.tested),
        "pairs": _pairs(found.pairs),
        "exploratory": [
            {"group": e.group, "name": e.name, "over": list(e.over), **_contrast(e.contrast)} for e in found.extras
        ],
        "failures": [_failed(one) for one in found.failed],
        "failure_modes": {mode.name: mode.meaning for mode in MODES},
        "commitments": {agent: asdict(one) for agent, one in found.committed.items()},
        "paper": {
            "agents": as_data(),
            **paper_data(),
            "beside": [{"key": one.told.key, "paper": one.told.value, "ours": one.ours} for one in found.beside],
        },
        "remarks": list(study.remarks),
        "intervals": asdict(DEFAULT_BOOTSTRAP),
        "rules": {"estimator": ESTIMATOR, "counting": COUNTING_RULE, "p": P_VALUE},
    }


def _trials(pool: Pool) -> dict[str, Any]:
    return {
        "counts": asdict(pool.counts()),
        "endings": {"completed": pool.stops(completed=True), "failed": pool.stops(completed=False)},
    }


def _tables(found: Findings, name: str, pool: Pool) -> dict[str, Any]:
    measures, study = found.measures, found.study
    chosen = pool.of(study.in_block)
    return {
        **_trials(chosen),
        **_passes(found, name),
        "elicitation": {
            figure: plain_estimate(one) for (of, figure), one in measures.elicitation.items() if of == name
        },
        "within_rejections": _within(measures, name),
        "reliability_block": {
            condition: plain_estimate(one) for (of, condition), one in measures.reliability.items() if of == name
        },
        "proposals_per_success": {
            f"{kind} {condition}": {"median": value, "successes": n}
            for (of, kind, condition), (value, n) in measures.proposals.items()
            if of == name
        },
        "exposure": shares(chosen),
    }


def _passes(found: Findings, name: str) -> dict[str, Any]:
    measures = found.measures
    passes = {
        kind: {
            condition: {
                str(k): {**plain_estimate(one), "tasks_left_out": measures.short.get((name, kind, condition, k), 0)}
                for (of, among, of_condition, k), one in measures.passes.items()
                if (of, among, of_condition) == (name, kind, condition)
            }
            for condition in CONDITIONS
        }
        for kind in KINDS
    }
    tiers: dict[str, dict[str, Any]] = {}
    for (of, tier, condition, k), one in measures.tiers.items():
        if of == name:
            tiers.setdefault(tier, {}).setdefault(condition, {})[str(k)] = plain_estimate(one)
    return {"pass_k": passes, "tiers": tiers}


def _within(measures: Measures, name: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for (of, block, r), one in measures.within.items():
        if of == name:
            found.setdefault(block, {})[str(r)] = plain_estimate(one)
    return found


def _agent(found: Findings, agent: str) -> dict[str, Any]:
    measures = found.measures
    return {
        "pooled_pass_1": {
            f"{kind} {condition}": plain_estimate(one)
            for (of, kind, condition), one in measures.pooled.items()
            if of == agent
        },
        "within_rejections": _within(measures, agent),
        "hidden_by_prompt": {
            prompt: plain_estimate(one) for (of, prompt), one in measures.prompts.items() if of == agent
        },
    }


def _test(one: Tested) -> dict[str, Any]:
    plan = one.plan
    told = {"name": plan.name, "key": plan.key, "corrected": plan.corrected, "over": list(plan.over)}
    if one.contrast is None:
        return {**told, "not_in_these_runs": plan.missing}
    kept = {} if one.kept is None else {**_contrast(one.kept), "templates": _flip(one.kept_templates)}
    return {
        **told,
        **_contrast(one.contrast),
        "left_out": plan.left_out,
        "templates": _flip(one.templates),
        "detectable": one.detectable,
        "without_overflow_and_budget": kept or None,
    }


def _contrast(one: Contrast) -> dict[str, Any]:
    return {
        "difference": one.value,
        "low": one.low,
        "high": one.high,
        "p": one.p,
        "p_holm": one.p_adjusted,
        "standard_error": one.standard_error,
        "n_tasks": one.n_tasks,
        "n_families": one.n_clusters,
    }


def _flip(one: SignFlip | None) -> dict[str, Any] | None:
    return None if one is None else asdict(one)


def _pairs(pairs: Pairs) -> dict[str, Any]:
    return {
        "order": list(pairs.order),
        "separated": pairs.separated,
        "of": len(pairs.pairs),
        "detectable": pairs.detectable(),
        "detectable_hidden": pairs.detectable(hidden=True),
        "pairs": [
            {
                "first": one.first,
                "second": one.second,
                **_contrast(one.contrast),
                "separated": one.contrast.separated,
                "hidden": _contrast(one.hidden),
            }
            for one in pairs.pairs
        ],
    }


def _failed(one: Failed) -> dict[str, Any]:
    agents = {
        agent: {"scored": one.scored[agent], "failed": one.failures(agent), "modes": dict(modes)}
        for agent, modes in one.modes.items()
    }
    return {"condition": one.condition, "kind": one.kind, "agents": agents}
