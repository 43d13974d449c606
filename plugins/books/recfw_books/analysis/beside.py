"""The paper's figures of its language-model agents, from a data file, and which of ours stand beside them."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import orjson
from attrs import frozen

from recfw_books.analysis.enriched import SUCCESS_FULL, SUCCESS_REST
from recfw_books.analysis.failures import ALL, Commitments
from recfw_books.analysis.measures import AVERAGE, Measures
from recfw_books.analysis.pairs import Extra, Pairs
from recfw_books.analysis.settings import SCRIPTED
from recfw_books.analysis.study import Study
from recfw_books.analysis.twelve import Tested


@frozen
class Told:
    """One figure of the paper: what it is, its value (shares in [0, 1], differences in points), and where it stands."""

    key: str
    name: str
    value: float
    where: str


@cache
def paper_data() -> Mapping[str, Any]:
    """Return the data file: ``source``, ``setting``, ``contrasts`` (table 4) and ``figures``."""
    data: Mapping[str, Any] = orjson.loads((files("recfw_books") / "data" / "paper.json").read_bytes())
    return data


def paper_contrasts() -> Mapping[str, Mapping[str, Any]]:
    """Return the rows of the paper's table 4 by key."""
    return {row["key"]: row for row in paper_data()["contrasts"]}


@frozen
class Beside:
    """A figure of the paper with ours; None where the runs do not have it."""

    told: Told
    ours: float | None


def beside(
    study: Study,
    measures: Measures,
    tested: tuple[Tested, ...],
    pairs: Pairs,
    extras: tuple[Extra, ...],
    committed: Mapping[str, Commitments],
) -> tuple[Beside, ...]:
    """Return every figure of the paper beside ours; nothing where only scripted agents were tested."""
    if not study.chosen.agents or set(study.chosen.agents) <= set(SCRIPTED):
        return ()
    ours = {
        **_means(study, measures),
        **_commitments(committed.get(ALL) or committed.get(study.chosen.agents[0])),
        **_differences(tested, pairs, extras),
    }
    told = [Told(**row) for row in paper_data()["figures"]]
    return tuple(Beside(one, ours.get(one.key)) for one in told)


def _means(study: Study, measures: Measures) -> dict[str, float | None]:
    rows = [setting.name for setting in study.main if setting.agent in study.chosen.agents]
    name = AVERAGE if len(rows) > 1 else next(iter(rows), "")
    found: dict[str, float | None] = {}
    for condition in ("volunteer", "mixed", "hidden"):
        for k in (1, 4):
            one = measures.passes.get((name, "satisfiable", condition, k))
            found[f"average {condition} {k}"] = one.value if one else None
    nvr = measures.passes.get((name, "nvr", "hidden", 1))
    found["average nvr hidden 1"] = nvr.value if nvr else None
    for tier in ("simple", "complex"):
        one = measures.tiers.get((name, tier, "hidden", 1))
        found[f"tier {tier} hidden"] = one.value if one else None
    within = [measures.within.get((row, study.chosen.block, 3)) for row in rows]
    found["within 3"] = _mean([one.value for one in within if one])
    for key, figure in (
        ("success if everything elicited", SUCCESS_FULL),
        ("success if not everything elicited", SUCCESS_REST),
    ):
        found[key] = _mean([one.value for row in rows if (one := measures.elicitation.get((row, figure)))])
    return found


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _commitments(found: Commitments | None) -> dict[str, float | None]:
    if found is None:
        return {}
    return {
        "untested share": _share(found.untested, found.failures),
        "untested before proposal": _share(found.before_proposal, found.untested),
        "untested after decline": _share(found.after_decline, found.untested),
        "named untagged share": _share(found.named, found.failures),
        "unreturned share": _share(found.unreturned, found.recommended),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _differences(tested: tuple[Tested, ...], pairs: Pairs, extras: tuple[Extra, ...]) -> dict[str, float | None]:
    interface = next((one for one in tested if one.plan.key == "interface"), None)
    mixed = next((one for one in extras if one.name == "structured - keyword, mixed"), None)
    return {
        "interface mixed": mixed.contrast.value if mixed else None,
        "detectable interface": interface.detectable if interface else None,
        "detectable pair": pairs.detectable(),
        "detectable pair hidden": pairs.detectable(hidden=True),
        "separated share": _share(pairs.separated, len(pairs.pairs)),
    }
