"""The content as it is read: catalog, tasks, the words that everything else shares."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from attrs import evolve

from recfw.elicitation.disclosure import Fact
from recfw.elicitation.goal import Goal
from recfw.elicitation.records import read_predicate
from recfw.model.task import Task

ADULTS = 18
"""The age rating of an adults' film, and the age from which one may be offered."""

WISHES = ("genres", "runtime", "year", "rating", "country", "language", "moods")
"""Fields that a wish can be about."""

FIELDS = (*WISHES, "services", "age")
"""Everything that the viewer can be asked about."""

WORDS = {
    "genres": ("kind", "kinds"),
    "runtime": ("long", "length", "minutes", "short"),
    "year": ("old film", "recent", "release"),
    "rating": ("rated",),
    "country": ("from where", "countries"),
    "language": ("spoken", "languages"),
    "moods": ("mood", "feel"),
    "services": ("streaming", "subscription", "subscribe"),
    "age": ("how old are you",),
}
"""Other words by which the viewer understands what it is asked about."""

Film = Mapping[str, Any]
Catalog = Mapping[str, Film]


def read(name: str) -> Any:
    """Return the content of a file in ``data``."""
    return json.loads((files("recfw_movies") / "data" / name).read_text(encoding="utf-8"))


def make_task(row: Mapping[str, Any]) -> Task:
    """Return a row of ``tasks.json`` as a task: what the opening states is public, the viewer private."""
    viewer = row["viewer"]
    services = "stated" if row["condition"] == "volunteer" else "on_ask"
    extras = (Fact("services", viewer["services"], services), Fact("age", [viewer["age"]], "on_ask"))
    goal = Goal(FIELDS, tuple(map(read_predicate, row["wishes"])), extras)
    answer = "no" if row["bait"] in {"none", "barred"} else "yes"
    task = goal.task(row["id"], {"condition": row["condition"], "bait": row["bait"], "answer": answer}, row["family"])
    return evolve(task, private=task.private | {"viewer": viewer})


def read_tasks() -> Sequence[Task]:
    """Return every task."""
    return [make_task(row) for row in read("tasks.json")]


def is_seen(film: str, viewer: Mapping[str, Any]) -> bool:
    """Tell whether a viewer has seen a film."""
    return film in viewer["history"]


def is_available(film: Film, viewer: Mapping[str, Any]) -> bool:
    """Tell whether a film is on one of the viewer's services."""
    return not set(film["services"]).isdisjoint(viewer["services"])


def is_true(film: Film, field: str, value: Any) -> bool:
    """Tell whether a film has an attribute: the field's value, or one or several of its values."""
    own = film.get(field)
    if isinstance(own, list):
        named = value if isinstance(value, list) else [value]
        return bool(named) and all(one in own for one in named)
    return own is not None and not isinstance(value, bool) and value == own
