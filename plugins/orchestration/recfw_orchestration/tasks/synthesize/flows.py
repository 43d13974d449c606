"""Flows: which ingredients make a workflow of each level, and how they hang together."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from recfw_orchestration.data.records import Domain
from recfw_orchestration.tasks.synthesize import common, electronics, local, places
from recfw_orchestration.tasks.synthesize.common import Ingredient
from recfw_orchestration.tasks.synthesize.draft import Draft, Source, name_of


@frozen
class Larder:
    """
    A domain's ingredients.

    Args:
        finds: One call that looks at no candidates, and demands that it names the target.
        chains: Two or three calls in a row that do the same.
        sifts: One call that looks at given items and lets some through.
        decides: One call that looks at given items and picks one.
        bridges: As ``decides``, after a call that it needs.
    """

    finds: tuple[Ingredient, ...]
    chains: tuple[Ingredient, ...]
    sifts: tuple[Ingredient, ...]
    decides: tuple[Ingredient, ...]
    bridges: tuple[Ingredient, ...] = ()


LARDERS: Mapping[Domain, Larder] = {
    "electronics": Larder(
        finds=(electronics.search, electronics.recommend, common.web),
        chains=(electronics.similar, common.companion, common.page),
        sifts=(common.rating, common.liked, common.rising, electronics.affordable, electronics.mentioned),
        decides=(
            common.taste,
            common.most_liked,
            common.most_rising,
            common.least_known,
            electronics.cheapest,
            electronics.dearest,
        ),
    ),
    "local": Larder(
        finds=(local.search, local.recommend, local.nearby, common.web),
        chains=(local.around, common.companion, common.tipster, common.page),
        sifts=(local.opened, common.rating, common.liked, common.rising, local.affordable),
        decides=(common.taste, common.most_liked, common.most_rising, common.least_known, local.nearest),
        bridges=(local.closest_to_known,),
    ),
    "places": Larder(
        finds=(places.search, places.recommend, places.nearby, places.been, common.web),
        chains=(places.around, common.page),
        sifts=(places.busy,),
        decides=(places.on_the_way, places.closest, places.quietest),
    ),
}


async def compose(draft: Draft, level: str) -> bool:
    """Grow a draft into a workflow of a level; False where it did not come to one."""
    larder = LARDERS[draft.domain]
    match level:
        case "L1":
            return await _grow(draft, [draft.pick((*larder.finds, *larder.sifts, *larder.decides))])
        case "L2":
            return await _parallel(draft, larder)
        case "L3":
            return await _chain(draft, larder)
        case _:
            return await _hybrid(draft, larder)


async def _grow(draft: Draft, ingredients: Sequence[Ingredient], source: Source = ()) -> bool:
    """Add ingredients that look at the same items."""
    return await _beside(draft, ingredients, source) is not None


async def _beside(draft: Draft, ingredients: Sequence[Ingredient], source: Source) -> Source | None:
    """Add ingredients that look at the same items; return the calls from which the next ones take theirs."""
    found: list[str] = []
    for ingredient in ingredients:
        given = await _step(draft, ingredient, source)
        if given is None:
            return None
        found += [call for call in given if call not in found]
    return tuple(found)


async def _step(draft: Draft, ingredient: Ingredient, source: Source) -> Source | None:
    draft.parts.append(name_of(ingredient))
    return await ingredient(draft, source)


async def _parallel(draft: Draft, larder: Larder) -> bool:
    """Two or three calls that need nothing of one another."""
    draws = draft.draws
    size = draws.choice((2, 3, 3)) if draft.domain != "places" else 2 + draws.below(2)
    decides = draws.below(3) > 0
    extra = (places.new,) if draft.domain == "places" else ()
    chosen = draft.pick_some((*larder.finds, *larder.sifts, *extra), size - decides)
    if decides:
        chosen.append(draft.pick(larder.decides))
    return await _grow(draft, chosen)


async def _chain(draft: Draft, larder: Larder) -> bool:
    """At least three calls, each of which needs the one before."""
    draws = draft.draws
    long = draws.below(4) > 0
    head = draft.pick(larder.chains if long else larder.finds)
    sifts = draws.below(2) if long else 1 + draws.below(min(2, len(larder.sifts)))
    steps: list[Ingredient] = [head, *draft.pick_some(larder.sifts, sifts)]
    if sifts < 2 or not long or draws.below(2):
        steps.append(draft.pick(larder.decides))
    source: Source = ()
    for step in steps:
        found = await _step(draft, step, source)
        if found is None:
            return False
        source = found
    return len(draft.calls) >= 3


async def _hybrid(draft: Draft, larder: Larder) -> bool:
    """Searches side by side; then, on what they have in common, further steps."""
    draws = draft.draws
    first = draft.pick(larder.chains if draws.below(2) or draft.domain == "places" else larder.finds)
    second = draft.pick([each for each in larder.finds if each is not first])
    source = await _beside(draft, (first, second), ())
    if source is None:
        return False
    most = min(2, len(larder.sifts))
    sifts = draft.pick_some(larder.sifts, draws.between(0, most))
    if sifts:
        source = await _beside(draft, sifts, source)
        if source is None:
            return False
    decider = draft.pick((*larder.decides, *larder.bridges))
    return await _step(draft, decider, source) is not None
