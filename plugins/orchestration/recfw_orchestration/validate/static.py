"""Rules of a task that need no call: its form, what it shows and hides, its workflow's shape, its words."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from recfw_orchestration.data.records import Domain
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import SERVERS, tools_of
from recfw_orchestration.validate.live import Fault, depths
from recfw_orchestration.validate.reading import Case, words_in

FEWEST_CANDIDATES = 20
LIKED = 4
AMBIGUITIES = ("low", "moderate", "high")
TYPES = (
    "underspecification",
    "soft_contradiction",
    "vague_quantifier",
    "preference_uncertainty",
    "implicit_constraint",
)
SERVER = {tool: spec.name for spec in SERVERS.values() for tool in spec.tools}
FREE_ASPECT = "analyze_product_sentiment"
"""The tool whose aspect is any words; another's is one of a few."""
KINDS: Mapping[str, str] = {
    "item_ids": "set",
    **dict.fromkeys(("query", "phrase"), "text"),
    **dict.fromkeys(("min_rating", "min_reviews", "min_price", "max_price", "min_checkins"), "number"),
    **dict.fromkeys(("lat", "lon", "from_lat", "from_lon", "to_lat", "to_lon"), "coordinate"),
    "radius_km": "radius",
    "local_time": "time",
}
"""Argument -> the kind by which it is compared; any other to the letter."""
_PIECE = re.compile(r"\w+")
_SLOT = re.compile(r"<\w+>|\{clause\}")

Lexicon = Mapping[str, Mapping[str, Any]]


def faults(case: Case, data: Data, lexicon: Lexicon) -> Iterator[Fault]:
    """Yield what is wrong with a task."""
    yield from _candidates(case, data)
    yield from _held_out(case, data)
    yield from _named(case, data)
    yield from _structure(case)
    yield from _kinds(case)
    yield from _phrases(case, lexicon)
    yield from _solvable(case, lexicon)


def _domain(case: Case) -> Domain:
    domain: Any = case.domain
    return domain  # type: ignore[no-any-return]


def _candidates(case: Case, data: Data) -> Iterator[Fault]:
    listed = case.candidates
    if len(listed) < FEWEST_CANDIDATES:
        yield "candidates", f"{len(listed)} candidates, at least {FEWEST_CANDIDATES} are demanded"
    if len(set(listed)) < len(listed):
        yield "candidates", "a candidate is listed twice"
    if case.target not in listed:
        yield "candidates", "the target is no candidate"
    for item in listed:
        if data.item(_domain(case), item) is None:
            yield "candidates", f"{item} is not in the store"
    if tuple(case.task.public.get("tools", ())) != tuple(tools_of(_domain(case))):
        yield "candidates", "the tools are not those of its domain and web search"


def _held_out(case: Case, data: Data) -> Iterator[Fault]:
    domain = _domain(case)
    if not data.known_user(domain, case.user):
        yield "held-out", f"the user {case.user} is not in the store"
        return
    held = data.held_out(domain, case.user)
    if held is None or held.item_id != case.target:
        yield "held-out", "the target is not what was held out of the user's interactions"
        return
    past: Any = data.checkins_by(case.user) if domain == "places" else data.reviews_by(domain, case.user)
    if any(each.item_id == case.target and each.time == held.time for each in past):
        yield "held-out", "the store still shows the held-out interaction"
    if held.rating is not None and held.rating < LIKED:
        yield "utility", f"the user gave the target {held.rating:g} stars"


def _named(case: Case, data: Data) -> Iterator[Fault]:
    item, low = data.item(_domain(case), case.target), case.instruction.casefold()
    if item is not None and item.name.casefold() in low:
        yield "named", f"the request names the target: {item.name}"
    for other in case.candidates:
        if re.search(rf"(?<![\w-]){re.escape(other.casefold())}(?![\w-])", low):
            yield "named", f"the request holds the id {other}"
    if not case.instruction.strip():
        yield "named", "there is no request"


def _structure(case: Case) -> Iterator[Fault]:
    calls, rounds = case.calls, depths(case.calls)
    if case.rounds != max(rounds.values()):
        yield "structure", f"{case.rounds} rounds are stated, {max(rounds.values())} are needed"
    for call in calls:
        origins = [(name, one["origin"]) for name, one in call.arguments.items() if one["origin"]]
        taken = {(source, name) for name, origin in origins for source in origin["calls"]}
        if taken != set(call.after):
            yield "structure", f"{call.id}: the dependencies stated are not those of its arguments"
            continue
        for (producer, name), field in zip(call.after, call.fields, strict=True):
            wanted = call.arguments[name]["origin"]["field"]
            if field.rpartition(".")[2] != wanted:
                yield "structure", f"{call.id}.{name}: is said to come from {field} of {producer}, comes from {wanted}"
    producers = [{producer for producer, _ in call.after} for call in calls]
    match case.level:
        case "L1":
            good = len(calls) == 1
        case "L2":
            good = len(calls) > 1 and not any(producers)
        case "L3":
            chain = zip(calls, producers[1:], strict=False)
            good = len(calls) > 2 and not producers[0] and all(call.id in needed for call, needed in chain)
        case _:
            side_by_side = max(Counter(rounds.values()).values()) > 1
            good = side_by_side and max(rounds.values()) > 1 and any(len(needed) > 1 for needed in producers)
    if not good:
        yield "structure", f"its calls do not hang together as {case.level} demands"
    if case.level != "L1" and len({SERVER.get(call.tool) for call in calls}) < 2:
        yield "utility", "all signals come from one server"


def _kinds(case: Case) -> Iterator[Fault]:
    for call in case.calls:
        for name, one in call.arguments.items():
            wanted = "text" if (call.tool, name) == (FREE_ASPECT, "aspect") else KINDS.get(name, "exact")
            if one["kind"] != wanted:
                yield "kinds", f"{call.id}.{name}: is compared as '{one['kind']}', must be as '{wanted}'"


def _phrases(case: Case, lexicon: Lexicon) -> Iterator[Fault]:
    kinds = [phrase["type"] for phrase in case.phrases]
    if case.ambiguity not in AMBIGUITIES or len(kinds) != AMBIGUITIES.index(case.ambiguity) + 1:
        yield "ambiguity", f"{len(kinds)} fuzzy phrases at ambiguity '{case.ambiguity}'"
    if len(set(kinds)) < len(kinds) or not set(kinds) <= set(TYPES):
        yield "ambiguity", f"its ambiguity types are {', '.join(kinds)}"
    gold = _gold_values(case)
    for phrase in case.phrases:
        if phrase["text"] not in case.instruction:
            yield "consistency", f"the request does not hold the phrase '{phrase['text']}'"
        if not _worded(phrase["pattern"], phrase["text"]):
            yield "consistency", f"the phrase '{phrase['text']}' is not worded as '{phrase['pattern']}'"
        for slot, word in phrase["words"].items():
            meant = lexicon.get(slot, {}).get("words", {}).get(word)
            if word not in phrase["text"]:
                yield "consistency", f"'{word}' is not in its phrase"
            if meant is None or meant != phrase["values"].get(slot) or meant not in gold:
                yield "consistency", f"'{word}' means {meant} as {slot}, which is not what gold does"


def _worded(pattern: str, text: str) -> bool:
    """Tell whether a phrase is its pattern with the slots filled; where there is but one wish, nothing is left over."""
    for told in (pattern, pattern.replace("that are left", "in the list")):
        if re.fullmatch(".*".join(map(re.escape, _SLOT.split(told))), text, re.DOTALL):
            return True
    return False


def _gold_values(case: Case) -> list[Any]:
    values = [value for call in case.calls for one in call.arguments.values() for value in one["values"]]
    return values + [rule["value"] for rule in case.keep]


def _solvable(case: Case, lexicon: Lexicon) -> Iterator[Fault]:
    """Yield arguments, and numbers of the answer rule, that nothing tells."""
    public = {name: value for name, value in case.task.public.items() if name not in ("instruction", "tools")}
    given = set(words_in(public)) | {str(v) for phrase in case.phrases for v in phrase["values"].values()}
    pieces = set(_PIECE.findall(case.instruction.casefold()))
    asked = [
        (f"{call.id}.{name}", name, one["values"])
        for call in case.calls
        for name, one in call.arguments.items()
        if one["origin"] is None and not one["optional"] and name != "item_ids"
    ]
    asked += [("the answer rule", "", [rule["value"]]) for rule in case.keep if rule["value"] not in (None, True, 0)]
    for where, name, values in asked:
        worded = [word for word, meant in lexicon.get(name, {}).get("words", {}).items() if meant in values]
        told = any(str(value) in given or set(_PIECE.findall(str(value).casefold())) <= pieces for value in values)
        if not told and not any(word in case.instruction for word in worded):
            yield "solvability", f"nothing tells {values[0]!r} of {where}"
