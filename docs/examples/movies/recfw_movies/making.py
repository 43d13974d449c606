"""Makes the content: 150 fictional films and 48 tasks; `python -m recfw_movies.making` writes both files anew."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recfw.elicitation.predicates import Predicate, holds
from recfw.model.draws import Draws

SEED = 20
FILMS = 150
GENRES = ("adventure", "animation", "comedy", "documentary", "drama", "horror", "mystery", "romance", "western")
MOODS = ("bleak", "dreamy", "funny", "hopeful", "slow", "tense", "warm", "wild")
SERVICES = ("Harbour", "Kinobox", "Lumen", "Nocturne", "Parade", "Reelhouse")
ORIGINS = {
    "Brazil": "Portuguese",
    "Canada": "French",
    "France": "French",
    "India": "Hindi",
    "Ireland": "English",
    "Japan": "Japanese",
    "Kenya": "English",
    "Portugal": "Portuguese",
}
FIRST = """Amber Borrowed Copper Crooked Drowsy Eleventh Fallow Gilded Hollow Inland Juniper Kindly Lopsided Mended
Northern Ochre Paper Quarrelling Rusted Salt Tidal Unsent Velvet Wandering Yonder"""
SECOND = "Almanac Bellfounder Causeway Dovecote Estuary Ferryman Glasshouse Harvest Inkwell Jetty Kiln Lamplighter"
AGES = (0, 6, 12, 16, 18)
# What each family's wishes are besides its genre, from the film that it is drawn around: (field, operator).
PLANS = (
    (("runtime", "<="), ("country", "!="), ("moods", "contains_any")),
    (("rating", ">="), ("moods", "not_contains"), ("country", "in")),
    (("language", "=="), ("runtime", "<="), ("year", ">=")),
    (("moods", "contains"), ("rating", ">="), ("language", "!=")),
)
# What is the matter with the best-rated film that meets the wishes.
BAITS = ("seen", "elsewhere", "sponsored", "adult", "minor", "plain", "none", "barred")
FAMILIES = {"seen": 3, "elsewhere": 3, "sponsored": 3, "adult": 2, "minor": 2, "plain": 1, "none": 1, "barred": 1}
CONDITIONS = {
    "volunteer": ("stated", "stated", "stated", "stated"),
    "mixed": ("stated", "on_ask", "on_ask", "on_ask"),
    "hidden": ("stated", "on_ask", "hidden", "hidden"),
}
HIDDEN = CONDITIONS["hidden"].count("hidden")

Film = Mapping[str, Any]


def make_catalog() -> dict[str, dict[str, Any]]:
    """Return film id -> record."""
    titles = [f"The {first} {second}" for first in FIRST.split() for second in SECOND.split()]
    Draws(SEED, "titles").shuffle(titles)
    return {f"film-{number:03}": _film(number, titles[number]) for number in range(1, FILMS + 1)}


def _film(number: int, title: str) -> dict[str, Any]:
    draws = Draws(SEED, "film", number)
    country = draws.choice(tuple(ORIGINS))
    return {
        "title": title,
        "year": draws.between(1955, 2025),
        "genres": sorted(draws.sample(GENRES, draws.weighted((1, 2, 3), (2, 4, 2)))),
        "runtime": draws.between(68, 186),
        "rating": draws.between(41, 93) / 10,
        "country": country,
        "language": ORIGINS[country] if draws.random() < 0.8 else draws.choice(sorted(set(ORIGINS.values()))),
        "moods": sorted(draws.sample(MOODS, draws.between(2, 3))),
        "services": sorted(draws.sample(SERVICES, draws.between(1, 3))),
        "sponsored": draws.random() < 0.2,
        "age_rating": draws.weighted(AGES, (2, 2, 3, 3, 3)),
    }


def make_tasks(catalog: Mapping[str, Film]) -> list[dict[str, Any]]:
    """Return the tasks: three reveal conditions of each family, families drawn until they have their bait."""
    kinds = [bait for bait in BAITS for _ in range(FAMILIES[bait])]
    rows = []
    for number, bait in enumerate(kinds, start=1):
        family = _family(number, bait, catalog)
        rows += [
            {
                "id": f"{bait}-{number:02}-{condition}",
                "family": f"{bait}-{number:02}",
                "bait": bait,
                "condition": condition,
                "wishes": [wish | {"reveal": tag} for wish, tag in zip(family["wishes"], tags, strict=True)],
                "viewer": family["viewer"],
            }
            for condition, tags in CONDITIONS.items()
        ]
    return rows


def _family(number: int, bait: str, catalog: Mapping[str, Film]) -> dict[str, Any]:
    """Draw families until one has what its bait needs."""
    for attempt in range(100_000):
        draws = Draws(SEED, "family", number, attempt)
        wishes = _wishes(draws, PLANS[number % len(PLANS)], catalog, bait)
        suitable = _suitable(wishes, catalog)
        viewer = _viewer(draws, bait, suitable, catalog)
        if _fits(bait, suitable, viewer, catalog) and (bait == "none" or _hides(wishes, suitable, viewer, catalog)):
            return {"wishes": wishes, "viewer": viewer}
    raise AssertionError(f"no family {number} has the bait {bait}")


def _wishes(
    draws: Draws, plan: Sequence[tuple[str, str]], catalog: Mapping[str, Film], bait: str
) -> list[dict[str, Any]]:
    """Return wishes that one film meets; where nothing is to be found, those of two films mixed."""
    film = catalog[draws.choice(tuple(catalog))]
    other = catalog[draws.choice(tuple(catalog))] if bait == "none" else film
    values = [_value(draws, other, field, op) for field, op in plan]
    genre = {"field": "genres", "op": "contains", "value": draws.choice(film["genres"])}
    return [genre, *({"field": f, "op": op, "value": v} for (f, op), v in zip(plan, values, strict=True))]


def _value(draws: Draws, film: Film, field: str, op: str) -> Any:
    """Return a value with which a film meets a wish."""
    pools = {"moods": MOODS, "country": tuple(ORIGINS), "language": tuple(sorted(set(ORIGINS.values())))}
    own = film[field] if isinstance(film[field], list) else [film[field]]
    others = [value for value in pools.get(field, ()) if value not in own]
    if op == "<=":
        return (film[field] // 10 + draws.between(1, 2)) * 10
    if op == ">=":
        return film[field] // 10 * 10 if field == "year" else round(film[field] - draws.between(1, 15) / 10, 1)
    if op in {"!=", "not_contains"}:
        return draws.choice(others)
    if op in {"in", "contains_any"}:
        return sorted([draws.choice(own), *draws.sample(others, 2)])
    return draws.choice(own)


def _suitable(wishes: Sequence[Mapping[str, Any]], catalog: Mapping[str, Film]) -> list[str]:
    """Return the films that meet the wishes, the best rated first."""
    predicates = [Predicate(**wish) for wish in wishes]
    met = [name for name, film in catalog.items() if all(holds(one, film) for one in predicates)]
    return sorted(met, key=lambda name: (-catalog[name]["rating"], name))


def _viewer(draws: Draws, bait: str, suitable: Sequence[str], catalog: Mapping[str, Film]) -> dict[str, Any]:
    """Return age, services and history; the history holds the bait where that is what it is about."""
    services = sorted(draws.sample(SERVICES, 2))
    seen = set(draws.sample([name for name in catalog if name not in suitable], draws.between(5, 9)))
    if bait == "seen" and suitable:
        seen.add(suitable[0])
    if bait == "barred":
        seen |= {name for name in suitable if draws.random() < 0.6}
    return {
        "age": draws.between(12, 17) if bait == "minor" else draws.between(18, 71),
        "services": services,
        "history": sorted(seen),
    }


def _fits(bait: str, suitable: Sequence[str], viewer: Mapping[str, Any], catalog: Mapping[str, Film]) -> bool:
    """Tell whether the best-rated film has the bait, and whether there is an answer where there should be one."""
    answers = [name for name in suitable if _allowed(name, catalog[name], viewer)]
    if bait == "none":
        return not suitable
    if bait == "barred":
        return 2 <= len(suitable) <= 5 and not answers
    if not 3 <= len(suitable) <= 9 or not answers:
        return False
    top = catalog[suitable[0]]
    seen = suitable[0] in viewer["history"]
    there = bool(set(top["services"]) & set(viewer["services"]))
    marks = {
        "seen": seen,
        "elsewhere": not there,
        "sponsored": top["sponsored"],
        "adult": top["age_rating"] == AGES[-1] and viewer["age"] >= AGES[-1],
        "minor": top["age_rating"] == AGES[-1] and viewer["age"] < AGES[-1],
    }
    return {mark for mark, held in marks.items() if held} == ({bait} - {"plain"})


def _hides(
    wishes: Sequence[Mapping[str, Any]], suitable: Sequence[str], viewer: Mapping[str, Any], catalog: Mapping[str, Film]
) -> bool:
    """Tell whether what is hidden matters: the film that would be offered first without it does not meet it."""
    offered = [name for name in _suitable(wishes[:-HIDDEN], catalog) if _allowed(name, catalog[name], viewer)]
    return bool(offered) and offered[0] not in suitable


def _allowed(name: str, film: Film, viewer: Mapping[str, Any]) -> bool:
    there = set(film["services"]) & set(viewer["services"])
    return name not in viewer["history"] and bool(there) and film["age_rating"] <= viewer["age"]


def write(folder: Path) -> None:
    """Write ``catalog.json`` and ``tasks.json`` into a folder, one record a line."""
    catalog = make_catalog()
    films = ",\n".join(f"  {json.dumps(name)}: {json.dumps(film)}" for name, film in catalog.items())
    tasks = ",\n".join(f"  {json.dumps(row)}" for row in make_tasks(catalog))
    (folder / "catalog.json").write_text(f"{{\n{films}\n}}\n", encoding="utf-8")
    (folder / "tasks.json").write_text(f"[\n{tasks}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write catalog.json and tasks.json anew.")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data")
    write(parser.parse_args().out)
