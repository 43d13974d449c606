"""Rules of a task that only live calls can show: it runs, has one answer, and every call and tolerance bears on it."""

from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import product
from typing import Any

from attrs import evolve

from recfw_orchestration.validate.evaluating import Ask, Play
from recfw_orchestration.validate.reading import Call, Case

Fault = tuple[str, str]
"""A rule's name and what is wrong, in words."""

MINUTES, SHARE = 30, 0.2
INTEGERS = ("min_reviews", "min_checkins", "max_price_level", "hour")


async def faults(case: Case, ask: Ask, schemas: Mapping[str, Any]) -> AsyncIterator[Fault]:
    """Yield what is wrong with a task's workflow; later rules are left out where an earlier one makes them void."""
    play = Play(case, ask)
    stuck = await play.run()
    for fault in _schemas(case, play, schemas):
        yield fault
    if stuck:
        yield "execution", f"{stuck}: {case.call(stuck).tool} refuses {_short(play.sent.get(stuck))}"
        return
    for call, result in play.results.items():
        if result.get("items", True) == []:
            yield "execution", f"{call}: {case.call(call).tool} finds nothing"
    for words in _unsettled(case, play):
        yield "values", words
    if len({(case.call(call).tool, str(sorted(sent.items()))) for call, sent in play.sent.items()}) < len(play.sent):
        yield "execution", "a call repeats another"
    answers = play.answers()
    if answers != [case.target]:
        yield "answer", f"the answer rule gives {answers}, the target is {case.target}"
        return
    async for fault in _material(case, ask):
        yield fault
    async for fault in _tolerant(case, ask):
        yield fault
    async for words in _spare(case, ask):
        yield "optional", words


def _schemas(case: Case, play: Play, schemas: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield calls that their tools do not take, or not without the arguments that may be left out."""
    for call, sent in play.sent.items():
        tool, arguments = case.call(call).tool, case.call(call).arguments
        needed = {
            name: value for name, value in sent.items() if name not in arguments or not arguments[name]["optional"]
        }
        if tool not in schemas or not schemas[tool].is_valid(sent):
            yield "schema", f"{call}: {tool} does not take {_short(sent)}"
        elif not schemas[tool].is_valid(needed):
            yield "schema", f"{call}: {tool} needs an argument that is said to be optional"


def _unsettled(case: Case, play: Play) -> Iterator[str]:
    """Yield arguments whose recorded first value is not what live results give."""
    for call in case.calls:
        for name, one in call.arguments.items():
            live = play.sent[call.id].get(name)
            recorded = one["values"][0] if one["values"] else None
            recorded = [recorded] if one["kind"] == "set" and not isinstance(recorded, list) else recorded
            if one["origin"] is not None and recorded != live:
                yield f"{call.id}.{name}: {_short(recorded)} is recorded, results give {_short(live)}"


async def _material(case: Case, ask: Ask) -> AsyncIterator[Fault]:
    for dropped in case.calls:
        gone = {dropped.id}
        for call in case.calls:
            singles = [one["origin"] for one in call.arguments.values() if one["origin"]]
            if any(origin["pick"] != "ids" and gone & set(origin["calls"]) for origin in singles):
                gone.add(call.id)
        play = Play(case, ask, without=gone)
        if not await play.run() and play.answers() == [case.target]:
            yield "material", f"without {dropped.id} ({dropped.tool}) the target is still the one answer"


async def _tolerant(case: Case, ask: Ask) -> AsyncIterator[Fault]:
    """Yield calls at the ends of whose tolerances, or with whose other allowed values, the answer is another."""
    for call in case.calls:
        others = [(name, other) for name, one in call.arguments.items() for other in one["values"][1:]]
        for name, other in others:
            play = Play(case, ask, moved={(call.id, name): other})
            if await play.run() or play.answers() != [case.target]:
                words = f"with {name} {_short(other)} the answer is {play.answers()}"
                yield "tolerance", f"{call.id} ({call.tool}): {words}"
        ends = {name: _ends(name, one) for name, one in call.arguments.items() if one["origin"] is None}
        named = [name for name, values in ends.items() if values]
        for values in product(*(ends[name] for name in named)) if named else ():
            moved = {(call.id, name): value for name, value in zip(named, values, strict=True)}
            play = Play(case, ask, moved=moved)
            if await play.run() or play.answers() != [case.target]:
                told = {name: value for (_, name), value in moved.items()}
                yield "tolerance", f"{call.id} ({call.tool}): with {told} the answer is {play.answers()}"
    for place, rule in enumerate(case.keep):
        for end in (1 - SHARE, 1 + SHARE) if rule["field"] == "price" else ():
            moved_rule = {**rule, "value": rule["value"] * end}
            play = Play(evolve(case, keep=(*case.keep[:place], moved_rule, *case.keep[place + 1 :])), ask)
            if await play.run() or play.answers() != [case.target]:
                yield "tolerance", f"with a price of {moved_rule['value']:g} the answer is {play.answers()}"


async def _spare(case: Case, ask: Ask) -> AsyncIterator[str]:
    """Yield arguments that are said to be optional and are not: left out alone, or all of them at once."""
    places = [(call.id, name) for call in case.calls for name, one in call.arguments.items() if one["optional"]]
    for omitted in (*([place] for place in places), *([places] if len(places) > 1 else ())):
        told = " and ".join(".".join(place) for place in omitted)
        play = Play(case, ask, omitted=omitted)
        if stuck := await play.run():
            yield f"without {told}, {stuck} cannot be made"
        elif play.answers() != [case.target]:
            yield f"without {told} the answer is {play.answers()}"
        else:
            for call, name in _unforeseen(case, play):
                live = _short(play.sent[call][name])
                yield f"without {told}, results give {live} for {call}.{name}, which is not allowed"


def _unforeseen(case: Case, play: Play) -> Iterator[tuple[str, str]]:
    """Yield dependent arguments whose live value is none of those allowed."""
    for call in case.calls:
        for name, one in call.arguments.items():
            if one["origin"] is not None and _whole(play.sent[call.id][name]) not in map(_whole, one["values"]):
                yield call.id, name


def _whole(value: Any) -> Any:
    """Return a value in the form in which equal ones are equal; lists of ids are sets."""
    return sorted(map(str, value)) if isinstance(value, list | tuple) else value


def _ends(name: str, one: Mapping[str, Any]) -> list[Any]:
    """Return the least and the greatest value that is allowed; none where one value alone is."""
    value = one["values"][0]
    if one["kind"] == "time":
        at = datetime.fromisoformat(value)
        return [(at + timedelta(minutes=sign * MINUTES)).isoformat(timespec="minutes") for sign in (-1, 1)]
    by = one["tolerance"] if one["kind"] == "number" else SHARE * value if one["kind"] == "radius" else 0
    if not by:
        return []
    low, high = value - by, value + by
    if name == "min_rating":
        low, high = max(1, low), min(5, high)
    if name == "radius_km":
        low, high = max(0.1, low), min(25, high)
    if name in INTEGERS:  # whole numbers within the tolerance
        low, high = max(0, -int(-low // 1)), int(high // 1)
    return [low if name in INTEGERS else round(low, 4), high if name in INTEGERS else round(high, 4)]


def depths(calls: tuple[Call, ...]) -> dict[str, int]:
    """Return call -> the earliest round in which it can be made."""
    found: dict[str, int] = {}
    for call in calls:
        found[call.id] = max((found[producer] for producer, _ in call.after), default=0) + 1
    return found


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}…"
