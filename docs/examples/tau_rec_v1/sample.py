"""A fictional folder in the layout of tau-Rec v1, equal on every machine: ``python -m tau_rec_v1.sample DIR``."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recfw.elicitation import Predicate, holds
from recfw.model.draws import Draws

FILMS, TASKS = 120, 18
GENRES = ("Comedy", "Crime", "Drama", "Fantasy", "Horror", "Mystery", "Romance", "War")
RATINGS = ("G", "PG", "PG-13", "R")
SERVICES = ("Lantern", "Pine", "Quay")
FIRST = ("Amber", "Broken", "Distant", "Hollow", "Quiet", "Second", "Silver", "Winter")
SECOND = ("Bridge", "Garden", "Harbour", "Letter", "Mirror", "Orchard", "Station", "Tide")
TAGS = {
    "volunteer": ("volunteer", "volunteer", "volunteer"),
    "mixed": ("volunteer", "on_ask", "on_ask"),
    "hidden": ("volunteer", "on_ask", "hidden"),
}


def films() -> list[dict[str, Any]]:
    """Return the records of a fictional catalog."""
    draws = Draws(1, "films")
    return [
        {
            "id": f"film_{number:03}",
            "title": f"{draws.choice(FIRST)} {draws.choice(SECOND)} {number}",
            "genres": sorted(draws.sample(GENRES, draws.between(1, 3))),
            "runtime": draws.between(70, 190),
            "rating": draws.between(40, 90) / 10,
            "content_rating": draws.choice(RATINGS),
            "streaming_services": sorted(draws.sample(SERVICES, draws.between(0, 3))),
        }
        for number in range(1, FILMS + 1)
    ]


def constraints(film: dict[str, Any], draws: Draws) -> list[dict[str, Any]]:
    """Return three constraints that a film meets; over all tasks every operator occurs."""
    other = [genre for genre in GENRES if genre not in film["genres"]]
    options = [
        ("runtime", "<=", film["runtime"] + draws.below(10)),
        ("rating", ">=", film["rating"]),
        ("content_rating", "==", film["content_rating"]),
        ("content_rating", "!=", draws.choice([each for each in RATINGS if each != film["content_rating"]])),
        ("content_rating", "in", sorted({film["content_rating"], draws.choice(RATINGS)})),
        ("genres", "not_contains", draws.choice(other)),
        ("streaming_services", "contains_any", film["streaming_services"] or list(SERVICES)),
    ]
    first = ("genres", "contains", film["genres"][0])
    kept = [each for each in options if holds(Predicate(*each), film)]
    return [{"field": f, "op": op, "value": value} for f, op, value in (first, *draws.sample(kept, 2))]


def tasks(catalog: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the tasks; nothing fits the last one."""
    for number in range(1, TASKS + 1):
        draws = Draws(1, "task", number)
        film = draws.choice(catalog)
        difficulty = tuple(TAGS)[number % len(TAGS)]
        wanted = constraints(film, draws)
        if nvr := number == TASKS:
            wanted[-1] = {"field": "runtime", "op": "<=", "value": 60}
        fits = [each for each in catalog if all(holds(Predicate(**one), each) for one in wanted)]
        watched = [each["id"] for each in fits if each is not film][:1]
        yield {
            "id": f"task_{number:03}",
            "constraints": [
                {"constraint": one, "reveal": tag} for one, tag in zip(wanted, TAGS[difficulty], strict=True)
            ],
            "persona": "You are looking for a film for tonight.",
            "no_valid_recommendation": nvr,
            "complexity": "simple",
            "reveal_difficulty": difficulty,
            "user_id": "user_1",
            "user_history": {"user_1": {"watched": watched, "ratings": {}}},
        }


def write_sample(folder: Path) -> None:
    """Write catalog.json, policy.md and tasks/task_*.json."""
    catalog = films()
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    (folder / "catalog.json").write_text(json.dumps(catalog, indent=2), encoding="utf-8")
    policy = "# Policy\n\nRecommend one film at a time, and none that the user has seen.\n"
    (folder / "policy.md").write_text(policy, encoding="utf-8")
    for task in tasks(catalog):
        (folder / "tasks" / f"{task['id']}.json").write_text(json.dumps(task, indent=2), encoding="utf-8")


if __name__ == "__main__":
    write_sample(Path(sys.argv[1]))
