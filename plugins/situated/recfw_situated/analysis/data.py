"""The figures of both reports for scripts: means, SDs and counts at full precision."""

from collections.abc import Iterable
from typing import Any

from attrs import asdict

from recfw.report.plain import plain_operational
from recfw_situated.analysis import plots, tables
from recfw_situated.analysis.blocks import COUNTING, Extra
from recfw_situated.analysis.navigate import Suggested
from recfw_situated.analysis.settings import Setting
from recfw_situated.analysis.study import Pool, Study
from recfw_situated.human.agreement import Agreement

MEANS = (*tables.MAIN, *tables.PURCHASE, *tables.DIALOGUE)


def figures(study: Study, extra: Extra | None = None) -> dict[str, Any]:
    """Return everything by setting and scene, and what only ``situated-paper`` has."""
    held: dict[str, Any] = {
        "track": "situated",
        "main_user": study.main,
        "settings": [_pool(setting, scene, pool) for (setting, scene), pool in study.pools.items()],
        "counting": COUNTING,
    }
    if extra is not None:
        held |= {
            "suggested": [{**_of(s, scene), **_suggested(found)} for (s, scene), found in extra.suggested.items()],
            "questionnaire": {item: dict(means) for item, means in extra.questionnaire.items()},
            "questionnaires_missing": extra.missing,
            "first_against_second": _agreements(extra.performance),
            "questionnaire_against_judge": _agreements(extra.ratings),
        }
    return held


def operational(study: Study) -> dict[str, Any]:
    """Return what tells these runs from others of the same outcome."""
    return {"runs": [plain_operational(run) for run in study.runs]}


def _of(setting: Setting, scene: str) -> dict[str, Any]:
    return {**asdict(setting), "scene": scene}


def _pool(setting: Setting, scene: str, pool: Pool) -> dict[str, Any]:
    return {
        **_of(setting, scene),
        "episodes": pool.episodes,
        "failed": pool.failed,
        "means": {column.figure: asdict(column.of(pool)) for column in MEANS},
        "success_by_turn": {str(turn): pool.success_by(turn) for turn in range(1, plots.TURNS + 1)},
        "goals": int(pool.total("goals")),
        "cgv_0": _share(pool.total("goals_seen_0"), pool.total("goals")),
        "cgv_gain": plots.gains(pool),
        "dialogue_actions": tables.act_shares(pool),
        "endings": dict(sorted(pool.stops().items())),
        "slips": {name: int(pool.total(name)) for name in tables.SLIPS},
    }


def _share(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def _suggested(found: Suggested) -> dict[str, Any]:
    names = sorted(found.names)
    return {
        "replies": found.replies,
        "actions": {name: {"suggested": found.names[name], "same": found.same[name]} for name in names},
    }


def _agreements(found: Iterable[Agreement]) -> dict[str, Any]:
    return {
        one.figure: {
            "pearson": one.pearson,
            "spearman": one.spearman,
            "assistants": list(one.assistants),
            "first": list(one.first),
            "second": list(one.second),
        }
        for one in found
    }
