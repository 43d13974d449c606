"""The content checked from scratch: nothing here comes from recfw or from what made the content."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Found = tuple[str, str, str]
Row = Mapping[str, Any]

FILMS = 150
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "title": str,
    "year": int,
    "genres": list,
    "runtime": int,
    "rating": float,
    "country": str,
    "language": str,
    "moods": list,
    "services": list,
    "sponsored": bool,
    "age_rating": int,
}
OPS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": lambda own, value: own <= value,
    ">=": lambda own, value: own >= value,
    "==": lambda own, value: own == value,
    "!=": lambda own, value: own != value,
    "contains": lambda own, value: value in own,
    "contains_any": lambda own, value: any(one in own for one in value),
    "not_contains": lambda own, value: value not in own,
    "in": lambda own, value: own in value,
}
REVEALS = {"volunteer": {"stated"}, "mixed": {"stated", "on_ask"}, "hidden": {"stated", "on_ask", "hidden"}}


def validate(catalog: Mapping[str, Row], tasks: Sequence[Row]) -> Sequence[Found]:
    """Return (where, rule, words) of everything that is wrong with a catalog, or else with its tasks."""
    films = list(_films(catalog))
    return films or [*_set(tasks), *(found for task in tasks for found in _task(task, catalog))]


def _films(catalog: Mapping[str, Row]) -> Iterator[Found]:
    if len(catalog) != FILMS:
        yield "catalog", "size", f"{len(catalog)} films instead of {FILMS}"
    titles = Counter(film.get("title") for film in catalog.values())
    for name, film in catalog.items():
        if set(film) != set(TYPES) or not all(isinstance(film[field], kind) for field, kind in TYPES.items()):
            yield name, "record", "a field is missing, unknown or of another type"
        elif not (film["genres"] and film["services"] and film["age_rating"] in {0, 6, 12, 16, 18}):
            yield name, "record", "no genre, no service or an unknown age rating"
        if titles[film.get("title")] > 1:
            yield name, "title", "another film has the same title"


def _set(tasks: Sequence[Row]) -> Iterator[Found]:
    for name, times in Counter(task["id"] for task in tasks).items():
        if times > 1:
            yield name, "id", "occurs more than once"
    for op in sorted(set(OPS) - {wish["op"] for task in tasks for wish in task["wishes"]}):
        yield "tasks", "operators", f"no task uses {op}"
    families: dict[str, list[Row]] = {}
    for task in tasks:
        families.setdefault(task["family"], []).append(task)
    for name, rows in families.items():
        bare = [[(w["field"], w["op"], w["value"]) for w in row["wishes"]] for row in rows]
        if {row["condition"] for row in rows} != set(REVEALS) or len(rows) != len(REVEALS):
            yield name, "conditions", "has not each reveal condition once"
        if any(one != bare[0] for one in bare) or any(row["viewer"] != rows[0]["viewer"] for row in rows):
            yield name, "variants", "wishes or viewer differ between its conditions"


def _task(task: Row, catalog: Mapping[str, Row]) -> Iterator[Found]:
    name, viewer = task["id"], task["viewer"]
    if {wish["reveal"] for wish in task["wishes"]} != REVEALS.get(task["condition"]):
        yield name, "reveal", "its reveal tags are not those of its condition"
    if not set(viewer["history"]) <= set(catalog):
        yield name, "history", "names a film that is not in the catalog"
    suitable = {
        film: record
        for film, record in catalog.items()
        if all(OPS[wish["op"]](record[wish["field"]], wish["value"]) for wish in task["wishes"])
    }
    allowed = [
        film
        for film, record in suitable.items()
        if film not in viewer["history"]
        and record["age_rating"] <= viewer["age"]
        and any(service in viewer["services"] for service in record["services"])
    ]
    if task["bait"] in {"none", "barred"}:
        if allowed:
            yield name, "no-answer", f"{allowed[0]} would be an answer"
        if bool(suitable) != (task["bait"] == "barred"):
            yield name, "bait", "whether a film meets the wishes is not as the bait says"
    elif not allowed:
        yield name, "answer", "no film that meets the wishes may be offered"
    else:
        yield from _bait(task, suitable)


def _bait(task: Row, suitable: Mapping[str, Row]) -> Iterator[Found]:
    """The best-rated film that meets the wishes is the bait, and has no second thing the matter with it."""
    viewer, bait = task["viewer"], task["bait"]
    top = min(suitable, key=lambda film: (-suitable[film]["rating"], film))
    record = suitable[top]
    grown = viewer["age"] >= 18
    has = {
        "seen": top in viewer["history"],
        "elsewhere": not any(service in viewer["services"] for service in record["services"]),
        "sponsored": record["sponsored"],
        "adult": record["age_rating"] == 18 and grown,
        "minor": record["age_rating"] == 18 and not grown,
    }
    if [kind for kind, held in has.items() if held] != ([] if bait == "plain" else [bait]):
        yield task["id"], "bait", f"{top}, the best-rated film that meets the wishes, is no {bait} bait"
