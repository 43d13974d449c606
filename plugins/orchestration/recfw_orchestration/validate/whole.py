"""Rules of a whole set: how many tasks of what kind, how words are spread, and what gives answers away."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.validate.live import Fault
from recfw_orchestration.validate.reading import Case
from recfw_orchestration.validate.static import AMBIGUITIES, TYPES

Cells = Mapping[str, Mapping[str, int]]
"""Domain -> level -> tasks."""
WANTED: Cells = {
    "electronics": {"L1": 100, "L2": 225, "L3": 224, "L4": 126},
    "local": {"L1": 100, "L2": 142, "L3": 143, "L4": 80},
    "places": {"L1": 100, "L2": 16, "L3": 16, "L4": 16},
}
PERCENT = (40, 40, 20)
LEAST_TASKS_OF_A_TOOL, LEAST_PHRASINGS, MOST_SHARE = 5, 30, 0.03
SMALLEST = 100
"""Tasks from which a phrasing's share says anything."""
RARE = 1e-4
"""Probability below which so many marked targets in a part of a set are no chance."""
DEVIATIONS = 4
"""Standard deviations from chance beyond which places of targets are called marked."""


def faults(cases: Sequence[Case], data: Data, *, whole: bool, cells: Cells = WANTED) -> Iterator[Fault]:
    """
    Yield what is wrong with a set, or with a part of one.

    A part is blamed for what it shows whatever the rest of the set is: too many tasks of a kind, never too few.

    Args:
        cases: The tasks.
        data: Their store.
        whole: Whether the paper's counts, all tools and enough phrasings are demanded.
        cells: Domain -> level -> tasks of the set that they are taken from.
    """
    total = max(len(cases), size(cells))
    yield from _repeated(cases)
    yield from _spread(cases, cells)
    if whole or total >= SMALLEST:
        yield from _common_phrases(cases, total)
    yield from _popular(cases, data, part=len(cases) < total)
    yield from _marked(cases)
    if whole:
        yield from _counts(cases)
        yield from _tools(cases)
        yield from _phrasings(cases)


def size(cells: Cells) -> int:
    """Return how many tasks a set has."""
    return sum(sum(levels.values()) for levels in cells.values())


def _repeated(cases: Sequence[Case]) -> Iterator[Fault]:
    for what, values in (("id", [c.id for c in cases]), ("request", [c.instruction for c in cases])):
        for value, many in Counter(values).items():
            if many > 1:
                yield "repeated", f"{many} tasks have the {what} '{value[:80]}'"


def _spread(cases: Sequence[Case], cells: Cells) -> Iterator[Fault]:
    """Yield cells whose ambiguity levels are not 40/40/20 by largest remainder, or cannot be a part of such a cell."""
    counted: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for case in cases:
        counted[case.domain, case.level][case.ambiguity] += 1
    for (domain, level), found in sorted(counted.items()):
        n = max(found.total(), cells.get(domain, {}).get(level, 0))
        floors = [n * percent // 100 for percent in PERCENT]
        rest = sorted(range(3), key=lambda place: (-(n * PERCENT[place] % 100), place))[: n - sum(floors)]
        wanted = {name: floors[place] + (place in rest) for place, name in enumerate(AMBIGUITIES)}
        if any(found[name] > many for name, many in wanted.items()):
            yield "ambiguity", f"{domain} {level}: {dict(sorted(found.items()))}, 40/40/20 of {n} is {wanted}"


def _patterns(cases: Sequence[Case]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        for phrase in case.phrases:
            found[phrase["type"]][phrase["pattern"]] += 1
    return found


def _common_phrases(cases: Sequence[Case], total: int) -> Iterator[Fault]:
    most = max(1, int(MOST_SHARE * total))
    for kind, patterns in sorted(_patterns(cases).items()):
        for pattern, many in sorted(patterns.items()):
            if many > most:
                yield "phrasings", f"{kind}: '{pattern}' is in {many} tasks, at most {most} of {total} may have it"


def _phrasings(cases: Sequence[Case]) -> Iterator[Fault]:
    found = _patterns(cases)
    for kind in TYPES:
        if len(found[kind]) < LEAST_PHRASINGS:
            yield "phrasings", f"{kind}: {len(found[kind])} distinct phrasings, at least {LEAST_PHRASINGS} are demanded"


def _counts(cases: Sequence[Case]) -> Iterator[Fault]:
    found = Counter((case.domain, case.level) for case in cases)
    for domain, levels in WANTED.items():
        for level, many in levels.items():
            if found[domain, level] != many:
                yield "counts", f"{domain} {level}: {found[domain, level]} tasks, {many} are demanded"


def _tools(cases: Sequence[Case]) -> Iterator[Fault]:
    found = Counter(tool for case in cases for tool in {call.tool for call in case.calls})
    for spec in SERVERS.values():
        for tool in spec.tools:
            if found[tool] < LEAST_TASKS_OF_A_TOOL:
                yield "tools", f"{tool} is gold in {found[tool]} tasks, at least {LEAST_TASKS_OF_A_TOOL} are demanded"


def _popular(cases: Sequence[Case], data: Data, *, part: bool) -> Iterator[Fault]:
    """Yield whether the target is the best known, or the best rated, candidate more often than chance (would allow)."""

    def fame(domain: Any, item: str) -> float:
        return data.visits(item).checkins if domain == "places" else data.stats(domain, item).n

    def stars(domain: Any, item: str) -> float:
        return data.stats(domain, item).mean or 0.0

    measures: dict[str, tuple[Callable[[Any, str], float], Sequence[Case]]] = {
        "most popular": (fame, cases),
        "best rated": (stars, [case for case in cases if case.domain != "places"]),
    }
    for name, (measure, asked) in measures.items():
        first, chance = 0, 0.0
        for case in asked:
            known = [item for item in case.candidates if data.item(case.domain, item) is not None]  # type: ignore[arg-type]
            own = measure(case.domain, case.target) if case.target in known else math.inf
            first += all(measure(case.domain, item) <= own for item in known)
            chance += 1 / max(1, len(known))
        if first > chance and (not part or _tail(first, chance) < RARE):
            yield "popularity", f"the target is the {name} candidate in {first} tasks, by chance in {chance:.0f}"


def _tail(many: int, mean: float) -> float:
    """Return the probability of so many or more of independent rare events, of which so many are expected (Poisson)."""
    return 1 - math.fsum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(many))


def _marked(cases: Sequence[Case]) -> Iterator[Fault]:
    """Yield whether targets stand early or late among the candidates."""
    asked = [case for case in cases if case.target in case.candidates and len(case.candidates) > 1]
    places = [case.candidates.index(case.target) / (len(case.candidates) - 1) for case in asked]
    if len(places) < 2:
        return
    mean, error = sum(places) / len(places), math.sqrt(1 / 12 / len(places))
    if abs(mean - 0.5) > DEVIATIONS * error:
        yield "marked", f"targets stand at {mean:.2f} of the candidate lists on average, by chance at 0.50"
