"""The report of a comparison: from stored results to figures for scripts and a document for people."""

from collections.abc import Sequence
from typing import Any

from attrs import asdict

from recfw.builtin.compare_arms import Arm, Arms, check_scorers, find_arm, read_arms
from recfw.builtin.compare_conditions import Difference, differences
from recfw.builtin.compare_document import HOLM_RULE, TIERS_RULE, Compared, compare_blocks, warnings
from recfw.builtin.compare_findings import FEW_CLUSTERS, LEVEL, Comparison, Pair, compare
from recfw.builtin.summary import check_figure, primary_figure
from recfw.model.document import Document, Report
from recfw.model.results import Results
from recfw.report.figures import COUNTING_RULE
from recfw.report.plain import plain_estimate, plain_operational
from recfw.stats.contrasts import P_VALUE
from recfw.stats.noise import NOISE_FLOOR


def comparison(results: Results, figure: str = "", baseline: str = "", *, all_pairs: bool = False) -> Report:
    """Compute the report of the analysis ``compare``; arguments are its options, errors are its own."""
    settings = results.settings()
    evaluated = str(settings.get("evaluated") or "agent")
    arms = read_arms(results, [str(pattern) for pattern in settings.get("tasks") or ()], evaluated)
    trials = [arm.trials for arm in arms.arms]
    check_figure(trials, figure)
    primary = primary_figure(trials, figure)
    scorer, held_against = check_scorers(arms.arms, primary), find_arm(arms.arms, baseline) if baseline else ""
    compared = Compared(
        arms=arms,
        found=compare(arms, primary),
        scorer=scorer,
        baseline=held_against,
        all_pairs=all_pairs,
        evaluated=evaluated,
        differences=differences({arm.name: arm.conditions for arm in arms.arms}, evaluated, arms.roles),
        clustered_by=str(settings.get("clustered_by") or ""),
    )
    return Report(
        document=Document(tuple(compare_blocks(compared))),
        figures=_figures(compared),
        operational={
            "arms": {arm.name: {"run": arm.run.id, "cell": arm.trials.cell} for arm in arms.arms},
            "runs": [plain_operational(run) for run in arms.runs],
        },
    )


def _figures(compared: Compared) -> dict[str, Any]:
    """Return everything of a comparison but times, dates and costs; in an order that is the arms' own."""
    arms, found = compared.arms, compared.found
    by_name = {arm.name: arm for arm in arms.arms}
    return {
        "track": arms.arms[0].run.spec.track,
        "figure": found.figure or None,
        "scorer": compared.scorer or None,
        "unit": compared.unit,
        "arms": [_arm_figures(found, by_name[name]) for name in found.order],
        "tiers": [list(tier) for tier in found.tiers],
        "baseline": compared.baseline or None,
        "contrasts": [_pair_figures(one) for one in compared.turned(found.pairs)],
        "tests": {"holm_over": len(found.pairs), "level": LEVEL, "few_clusters": FEW_CLUSTERS},
        "tasks": _task_figures(arms, found),
        "differences": [_difference_figures(one) for one in compared.differences],
        "warnings": list(warnings(compared)),
        "intervals": asdict(found.bootstrap),
        "rules": {
            "counting": COUNTING_RULE,
            "p": P_VALUE,
            "holm": HOLM_RULE,
            "noise_floor": NOISE_FLOOR,
            "tiers": TIERS_RULE,
        },
    }


def _arm_figures(found: Comparison, arm: Arm) -> dict[str, Any]:
    noise = found.noise[arm.name]
    tier = next((number for number, names in enumerate(found.tiers, start=1) if arm.name in names), None)
    return {
        "name": arm.name,
        "cell": arm.trials.cell,
        "tier": tier,
        "mean": plain_estimate(found.means[arm.name]),
        "matched_mean": found.matched[arm.name],
        "counts": asdict(arm.trials.counts()),
        "scored_trials": arm.trials.scored(found.figure),
        "noise": {
            "tasks_with_several_trials": noise.n_repeated,
            "flip_rate": noise.flip_rate,
            "floor": found.floors[arm.name],
        },
    }


def _pair_figures(one: Pair) -> dict[str, Any]:
    contrast = one.contrast
    return {
        "first": one.first,
        "second": one.second,
        "difference": contrast.value,
        "low": contrast.low,
        "high": contrast.high,
        "standard_error": contrast.standard_error,
        "p": contrast.p,
        "p_bootstrap": one.p_bootstrap,
        "p_sign_flip": one.p_sign_flip,
        "p_holm": contrast.p_adjusted,
        "noise_floor": one.floor,
        "detectable": one.detectable,
        "told_apart": one.apart,
        "n_tasks": contrast.n_tasks,
        "n_clusters": contrast.n_clusters,
        "unmatched": one.unmatched,
    }


def _task_figures(arms: Arms, found: Comparison) -> dict[str, Any]:
    return {
        "any_arm": len(arms.tasks),
        "all_arms_with_a_value": len(found.common),
        "clusters": len({task.cluster for task in arms.tasks.values()}),
        "other_content": list(arms.other_content),
    }


def _difference_figures(one: Difference) -> dict[str, Any]:
    values: Sequence[dict[str, Any]] = [{"value": value, "arms": list(names)} for value, names in one.values.items()]
    return {"what": one.what, "compared": one.compared, "values": values}
