"""The candidates: drawn so that the target is the one answer, and stops being it when any one demand is dropped."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from attrs import evolve, frozen

from recfw_orchestration.tasks.answer import Content, arguments_of, entries, named, passing, scores
from recfw_orchestration.tasks.records import Allowed, GoldCall
from recfw_orchestration.tasks.synthesize.draft import MOST, Draft

FEWEST, MOST_CANDIDATES = 20, 24
POOL = 150
"""Items among which candidates are drawn."""
CLOSE = 2
"""Candidates that fail one demand alone, for each demand."""
BOUNDS: Mapping[str, tuple[float, float]] = {
    "min_rating": (1, 5),
    "min_reviews": (0, 1_000_000),
    "min_price": (0, 1_000_000),
    "max_price": (0, 1_000_000),
    "min_checkins": (0, 1_000_000),
    "radius_km": (0.1, 25),
}
WHOLE = ("min_reviews", "min_checkins")
"""Arguments that are whole numbers."""
RADIUS_SHARE, TIME_MINUTES = 0.2, 30


@frozen
class Table:
    """
    What each item of the pool does.

    Args:
        passes: By test, the items that pass.
        steady: The items whose passing does not hang on how exactly a number is met.
        ranks: Item -> by what the last step ranks it, higher better; None where nothing ranks.
    """

    passes: tuple[frozenset[str], ...]
    steady: frozenset[str]
    ranks: Mapping[str, float] | None

    def missed(self, item: str) -> list[int]:
        """Return which tests an item fails."""
        return [place for place, passed in enumerate(self.passes) if item not in passed]


def pool_of(draft: Draft) -> list[str]:
    """Return items that may become candidates: those that the searches name, and others of the domain."""
    draws, domain = draft.draws, draft.domain
    lists = [list(named(draft.results[keep.call])) for keep in draft.keeps if keep.call in draft.results]
    counts: dict[str, int] = {}
    for item in (item for listed in lists for item in listed):
        counts[item] = counts.get(item, 0) + 1
    listed = sorted(counts, key=lambda item: (-counts[item], item))
    often = [item for item in listed if counts[item] > 1]
    rest = [item for item in listed if counts[item] == 1]
    draws.shuffle(rest)
    found = dict.fromkeys((draft.target, *often, *rest[: POOL - 60]))
    for item in _others(draft):
        if len(found) >= POOL:
            break
        found[item] = None
    return [item for item in found if draft.data.item(domain, item) is not None]


def _others(draft: Draft) -> Iterable[str]:
    """Yield items like the target, then any."""
    alike = [item for item, _ in draft.data.similar(draft.domain, draft.target, "content", 60)]
    draft.draws.shuffle(alike)
    yield from alike
    everything = draft.data.item_ids(draft.domain)
    for _ in range(4 * POOL):
        yield draft.draws.choice(everything)


async def tabulate(draft: Draft, pool: Sequence[str]) -> Table | None:
    """Run every call over the pool, and again with each number at the ends of what is allowed; None where one fails."""
    steady = set(pool)
    contents: dict[str, Content] = {}
    for call in draft.calls:
        found = await _over(draft, call, pool, contents)
        if found is None:
            return None
        contents[call.id] = found
        for variant in variants(call):
            other = await _over(draft, variant, pool, contents)
            if other is None:
                return None
            for keep in draft.keeps:
                if keep.call == call.id:
                    steady -= passing(keep, found, pool) ^ passing(keep, other, pool)
    for place, slack in draft.slack.items():
        keep = draft.keeps[place]
        for value in (keep.value - slack, keep.value + slack):
            content = contents[keep.call]
            steady -= passing(keep, content, pool) ^ passing(evolve(keep, value=value), content, pool)
    passes = tuple(frozenset(passing(keep, contents[keep.call], pool)) for keep in draft.keeps)
    ranks = None if draft.best is None else scores(draft.best, contents[draft.best.call])
    return Table(passes, frozenset(steady), ranks)


async def _over(draft: Draft, call: GoldCall, pool: Sequence[str], contents: Mapping[str, Content]) -> Content | None:
    """Run a call with the pool in place of candidates, in portions; return its entries together."""
    sent = {**arguments_of(_bare(call), draft.rule, contents, ()), **({"limit": call.limit} if call.limit else {})}
    if not looks_at_items(call):
        return await draft.run(call.tool, sent)
    together: list[Any] = []
    for start in range(0, len(pool), MOST):
        found = await draft.run(call.tool, {**sent, "item_ids": list(pool[start : start + MOST])})
        if found is None:
            return None
        together += entries(found)
    return {"items": together}


def looks_at_items(call: GoldCall) -> bool:
    """Tell whether a call is asked about candidates, or what is left of them."""
    asked = call.arguments.get("item_ids")
    return asked is not None and (asked.origin is None or asked.origin.pick == "ids")


def _bare(call: GoldCall) -> GoldCall:
    if not looks_at_items(call):
        return call
    return evolve(call, arguments={name: one for name, one in call.arguments.items() if name != "item_ids"})


def variants(call: GoldCall) -> list[GoldCall]:
    """Return a call with every number and time as low, and as high, as is allowed; none where it has none."""
    made = []
    for sign in (-1, 1):
        moved = {name: _moved(name, one, sign) for name, one in call.arguments.items()}
        if moved != call.arguments:
            made.append(evolve(call, arguments=moved))
    return made


def _moved(name: str, one: Allowed, sign: int) -> Allowed:
    if one.origin is not None or not one.values:
        return one
    value = one.values[0]
    if one.kind == "time":
        return evolve(one, values=(_later(value, sign * TIME_MINUTES),))
    by = one.tolerance if one.kind == "number" else RADIUS_SHARE * value if one.kind == "radius" else 0.0
    if not by:
        return one
    low, high = BOUNDS[name]
    moved = min(high, max(low, value + sign * by))
    # Whole numbers are rounded outwards, so that the end itself is covered.
    whole = -int(-moved // 1) if sign > 0 else int(moved // 1)
    return evolve(one, values=(whole if name in WHOLE else round(moved, 4),))


def _later(value: str, minutes: int) -> str:
    return (datetime.fromisoformat(value) + timedelta(minutes=minutes)).isoformat(timespec="minutes")


def choose(draft: Draft, table: Table, pool: Sequence[str]) -> list[str] | None:
    """
    Return the candidates in random order; None where the pool does not hold what is needed.

    Needed: the target is steady, passes everything and ranks first among those that do; somebody else passes
    everything, where a rank decides; for each test somebody fails it alone, and would not rank below the target;
    somebody is better known, and somebody better rated, where ratings exist.
    """
    target = draft.target
    if target not in table.steady or table.missed(target):
        return None
    own = None if table.ranks is None else table.ranks.get(target)
    if table.ranks is not None and own is None:
        return None
    others = [item for item in pool if item in table.steady and item != target]
    draft.draws.shuffle(others)
    open_to = [item for item in others if table.missed(item) or not _rivals(table, item, own)]
    chosen: dict[str, None] = {target: None}
    for wanted in _needs(draft, table, open_to, own):
        fresh = [item for item in wanted if item not in chosen]
        if not fresh and not chosen.keys() & set(wanted):
            return None
        if not chosen.keys() & set(wanted):
            chosen[fresh[0]] = None
    if not _fill(draft, table, open_to, chosen):
        return None
    ordered = sorted(chosen)
    draft.draws.shuffle(ordered)
    return ordered


def _rivals(table: Table, item: str, own: float | None) -> bool:
    """Tell whether an item that passes everything would rank at least as high as the target."""
    if table.ranks is None or own is None:
        return True
    rank = table.ranks.get(item)
    return rank is not None and rank >= own


def _needs(draft: Draft, table: Table, open_to: Sequence[str], own: float | None) -> Iterable[Collection[str]]:
    """Yield sets of items of each of which one must be a candidate."""
    if table.ranks is not None:
        yield [item for item in open_to if not table.missed(item) and item in table.ranks]
    for place in range(len(table.passes)):
        yield [item for item in open_to if table.missed(item) == [place] and _rivals(table, item, own)]
    fame = {item: known(draft, item) for item in (*open_to, draft.target)}
    yield [item for item in open_to if fame[item][0] > fame[draft.target][0]]
    if draft.domain != "places":
        yield [item for item in open_to if fame[item][1] > fame[draft.target][1]]


def known(draft: Draft, item: str) -> tuple[int, float]:
    """Return how well known an item is (ratings, or check-ins), and its mean rating (-1 without)."""
    if draft.domain == "places":
        return draft.data.visits(item).checkins, -1.0
    stats = draft.data.stats(draft.domain, item)
    return stats.n, -1.0 if stats.mean is None else stats.mean


def _fill(draft: Draft, table: Table, open_to: Sequence[str], chosen: dict[str, None]) -> bool:
    """Add candidates up to a drawn number: some near misses, then any."""
    size = draft.draws.between(FEWEST, MOST_CANDIDATES)
    close = [item for item in open_to if len(table.missed(item)) <= 1]
    for item in (*close[: CLOSE * (len(table.passes) + 1)], *open_to):
        if len(chosen) >= size:
            return True
        chosen[item] = None
    return len(chosen) >= FEWEST
