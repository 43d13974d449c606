"""The figures of the paper's tables and plots: pass^k by every cut, elicitation, success within r rejections."""

from collections.abc import Mapping
from statistics import median
from typing import Any

from attrs import frozen

from recfw.report.figures import estimates, facet_values
from recfw.stats.contrasts import average
from recfw.stats.results import DEFAULT_BOOTSTRAP, Bootstrap, Estimate
from recfw_books.analysis.enriched import FULL, NOTHING, SUCCESS_FULL, SUCCESS_REST
from recfw_books.analysis.pairs import CONDITIONS, KINDS, only
from recfw_books.analysis.settings import SCRIPTED, Setting
from recfw_books.analysis.study import EVERYTHING, SUCCESS, Pool, Study, block_tasks
from recfw_books.analysis.twelve import Column

ALLOWED = range(6)
"""For which numbers of rejections the curve is given."""

AVERAGE = "average"
"""The mean over the agents of the tests and their interfaces."""

REJECTIONS, PROPOSALS = "rejections_to_success", "proposals_to_success"
ELICITED = "elicited_share"

_ELICITATION = (FULL, NOTHING, ELICITED, SUCCESS_FULL, SUCCESS_REST)


@frozen
class Measures:
    """
    Means over tasks with their intervals over families; a key that is absent had no task.

    Args:
        passes: (setting's name, kind, condition, k) -> pass^k on the chosen families.
        short: The same keys -> tasks left out, with fewer than k scored trials.
        tiers: (setting's name, tier, condition, k) -> pass^k, of the satisfiable tasks among them.
        elicitation: (setting's name, figure) -> share over mixed tasks.
        within: (agent or setting's name, block, r) -> share of hidden satisfiable tasks solved with at most r
            rejections; under an agent's name pooled over its interfaces, or of a scripted one on structured search.
        pooled: (agent, kind, condition) -> pass^1, pooled likewise.
        reliability: (setting's name, condition) -> pass^1 of the reliability block's satisfiable tasks.
        prompts: (agent, prompt) -> pass^1 on hidden satisfiable tasks of the reliability block (or of the chosen
            families where the runs lack it), structured search.
        prompts_block: Which families those are.
        proposals: (setting's name, kind, condition) -> median proposals per success, and over how many successes.
    """

    passes: Mapping[tuple[str, str, str, int], Estimate]
    short: Mapping[tuple[str, str, str, int], int]
    tiers: Mapping[tuple[str, str, str, int], Estimate]
    elicitation: Mapping[tuple[str, str], Estimate]
    within: Mapping[tuple[str, str, int], Estimate]
    pooled: Mapping[tuple[str, str, str], Estimate]
    reliability: Mapping[tuple[str, str], Estimate]
    prompts: Mapping[tuple[str, str], Estimate]
    prompts_block: str
    proposals: Mapping[tuple[str, str, str], tuple[float, int]]


def measure(study: Study, most_k: int, bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP) -> Measures:
    """Compute every figure, all intervals in one batch."""
    main = {setting: pool.of(study.in_block) for setting, pool in study.main.items()}
    passed, short = _passes(study, main, most_k)
    block = "reliability" if block_tasks(study.tasks, "reliability") else study.chosen.block
    columns: dict[Any, Column] = {
        **{("passes", *key): column for key, column in passed.items()},
        **{("tiers", *key): column for key, column in _tiers(study, main, most_k).items()},
        **{("elicitation", *key): column for key, column in _elicitation(study, main).items()},
        **{("within", *key): column for key, column in _within(study).items()},
        **{("pooled", *key): column for key, column in _pooled(study, main).items()},
        **{("reliability", *key): column for key, column in _reliability(study).items()},
        **{("prompts", *key): column for key, column in _prompts(study, block).items()},
    }
    found = estimates({key: column for key, column in columns.items() if column}, study.tasks, bootstrap)
    parts: dict[str, dict[Any, Estimate]] = {}
    for key, estimate in found.items():
        parts.setdefault(key[0], {})[key[1:]] = estimate
    return Measures(
        passes=parts.get("passes", {}),
        short=short,
        tiers=parts.get("tiers", {}),
        elicitation=parts.get("elicitation", {}),
        within=parts.get("within", {}),
        pooled=parts.get("pooled", {}),
        reliability=parts.get("reliability", {}),
        prompts=parts.get("prompts", {}),
        prompts_block=block,
        proposals=_proposals(study, main),
    )


def group(study: Study, kind: str, condition: str) -> frozenset[str]:
    """Return the tasks of a kind and a condition."""
    return frozenset(only(study, dict.fromkeys(study.tasks, 0.0), condition, kind))


def _passes(
    study: Study, main: Mapping[Setting, Pool], most_k: int
) -> tuple[dict[tuple[str, str, str, int], Column], dict[tuple[str, str, str, int], int]]:
    columns: dict[tuple[str, str, str, int], Column] = {}
    short: dict[tuple[str, str, str, int], int] = {}
    for kind in KINDS:
        for condition in CONDITIONS:
            tasks = group(study, kind, condition)
            for k in range(1, most_k + 1):
                each = []
                for setting, pool in main.items():
                    found = pool.of(tasks).pass_k(k)
                    columns[setting.name, kind, condition, k] = found.values
                    short[setting.name, kind, condition, k] = len(found.left_out)
                    if setting.agent in study.chosen.agents:
                        each.append(found.values)
                if len(each) > 1:
                    columns[AVERAGE, kind, condition, k] = average([one for one in each if one])
    return columns, short


def _tiers(study: Study, main: Mapping[Setting, Pool], most_k: int) -> dict[tuple[str, str, str, int], Column]:
    found: dict[tuple[str, str, str, int], Column] = {}
    for tier, tasks in facet_values(study.tasks, "tier").items():
        for condition in CONDITIONS:
            chosen = tasks & group(study, "satisfiable", condition)
            for k in range(1, most_k + 1):
                each = {s: pool.of(chosen).pass_k(k).values for s, pool in main.items()}
                found |= {(s.name, tier, condition, k): column for s, column in each.items()}
                tested = [column for s, column in each.items() if s.agent in study.chosen.agents and column]
                if len(tested) > 1:
                    found[AVERAGE, tier, condition, k] = average(tested)
    return found


def _elicitation(study: Study, main: Mapping[Setting, Pool]) -> dict[tuple[str, str], Column]:
    return {
        (setting.name, figure): only(study, pool.means(figure), "mixed")
        for setting, pool in main.items()
        for figure in _ELICITATION
    }


def _within(study: Study) -> dict[tuple[str, str, int], Column]:
    found: dict[tuple[str, str, int], Column] = {}
    hidden = group(study, "satisfiable", "hidden")
    for block in dict.fromkeys((study.chosen.block, "reliability", EVERYTHING)):
        tasks = hidden & block_tasks(study.tasks, block)
        cut = {setting: pool.of(tasks) for setting, pool in study.main.items()}
        for r in ALLOWED:
            each = {setting: within(pool, r) for setting, pool in cut.items()}
            found |= {(setting.name, block, r): column for setting, column in each.items()}
            found |= {(agent, block, r): column for agent, column in _by_agent(each).items()}
    return found


def within(pool: Pool, allowed: int) -> dict[str, float]:
    """Return task -> share of its scored trials that succeed with at most so many rejections."""
    rejections = pool.values(REJECTIONS)
    if not any(REJECTIONS in part.scores for part in pool.parts):
        return {}
    return {
        task: sum(n <= allowed for n in rejections.get(task, ())) / len(scored)
        for task, scored in pool.values(SUCCESS).items()
    }


def _by_agent(each: Mapping[Setting, Column]) -> dict[str, Column]:
    """Return agent -> mean over its interfaces, on the tasks that all have; a scripted agent's structured one alone."""
    columns: dict[str, dict[str, Column]] = {}
    for setting, column in each.items():
        if column:
            columns.setdefault(setting.agent, {})[setting.interface] = column
    for agent, found in columns.items():
        if agent in SCRIPTED and "structured" in found:
            columns[agent] = {"structured": found["structured"]}
    return {agent: average(list(found.values())) for agent, found in columns.items()}


def _pooled(study: Study, main: Mapping[Setting, Pool]) -> dict[tuple[str, str, str], Column]:
    return {
        (agent, kind, condition): column
        for kind in KINDS
        for condition in CONDITIONS
        for agent, column in _by_agent(
            {s: only(study, pool.means(SUCCESS), condition, kind) for s, pool in main.items()}
        ).items()
    }


def _reliability(study: Study) -> dict[tuple[str, str], Column]:
    tasks = block_tasks(study.tasks, "reliability")
    return {
        (setting.name, condition): pool.of(tasks & group(study, "satisfiable", condition)).means(SUCCESS)
        for setting, pool in study.main.items()
        for condition in CONDITIONS
    }


def _prompts(study: Study, block: str) -> dict[tuple[str, str], Column]:
    tasks = group(study, "satisfiable", "hidden") & block_tasks(study.tasks, block)
    prompts = sorted({s.prompt for s in study.pools if s.interface == "structured"})
    found: dict[tuple[str, str], Column] = {}
    for agent in study.agents:
        for prompt in prompts:
            pool = study.pools.get(study.setting(agent, "structured", prompt=prompt))
            found[agent, prompt] = pool.of(tasks).means(SUCCESS) if pool else {}
    return found


def _proposals(study: Study, main: Mapping[Setting, Pool]) -> dict[tuple[str, str, str], tuple[float, int]]:
    found = {}
    for setting, pool in main.items():
        for kind in KINDS:
            for condition in CONDITIONS:
                counts = pool.of(group(study, kind, condition)).flat(PROPOSALS)
                if counts:
                    found[setting.name, kind, condition] = (float(median(counts)), len(counts))
    return found


def shares(pool: Pool) -> dict[str, Any]:
    """Return counts of a pool's exposure: how its recommendations spread over the catalog's popularity."""
    ranks, places = pool.flat("exposure_rank"), pool.flat("exposure_share")
    often: dict[float, int] = {}
    for rank in ranks:
        often[rank] = often.get(rank, 0) + 1
    return {
        "recommendations": len(ranks),
        "distinct": len(often),
        "top_decile": sum(place <= 0.1 for place in places) / len(places) if places else None,
        "median_rank": float(median(ranks)) if ranks else None,
        "gini": gini(sorted(often.values())),
    }


def gini(counts: list[int]) -> float | None:
    """Return the Gini coefficient of counts in ascending order: 0 where all are equal; None without any."""
    total, n = sum(counts), len(counts)
    return (
        2 * sum(place * count for place, count in enumerate(counts, 1)) / (n * total) - (n + 1) / n if total else None
    )
