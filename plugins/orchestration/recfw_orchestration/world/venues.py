"""Fictional venues of two cities of check-ins, and the people who keep coming back to some of them."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta

from attrs import frozen

from recfw.model.draws import Draws
from recfw_orchestration.data.records import CheckIn
from recfw_orchestration.data.staging import Sighting
from recfw_orchestration.world.wheel import Wheel, fields, fresh_id, lines, names, spread, words

VENUES, VISITORS = 2_400, 700
CITIES = ("NYC", "TKY")

_BEGIN, _DAYS = date(2012, 4, 9), 310
_WINTER = date(2012, 11, 4)
"""From this day on New York's clocks are five hours behind UTC, before it four."""
_NEAR = 0.011


@frozen
class Sort:
    """A category of venues: how common in each city, when it is busy, how often people return (0..1)."""

    name: str
    common: tuple[float, float]
    opens: int
    closes: int
    days: str
    returning: float


@frozen
class Spot:
    """A venue, where it lies and how known it is."""

    item_id: str
    sort: Sort
    city: str
    lat: float
    lon: float
    known: float


Point = tuple[float, float]


def sorts() -> list[Sort]:
    """Return the categories of ``venues.txt``, in its order."""
    found = []
    for line in lines("venues.txt"):
        name, nyc, tky, hours, days, returning = fields(line)
        opens, closes = map(int, hours.split("-"))
        closes += 24 if closes <= opens else 0
        found.append(Sort(name, (float(nyc), float(tky)), opens, closes, days, 0.15 * int(returning) + 0.1))
    return found


def centres() -> dict[str, list[Point]]:
    """Return the middles of each city's quarters."""
    found = {}
    for line in names()["centre"]:
        city, _, points = line.partition(": ")
        found[city] = [(float(lat), float(lon)) for lat, lon in (point.split() for point in words(points))]
    return found


def draw_spots(seed: int, count: int = VENUES) -> list[Spot]:
    """Draw the venues, as many for each city."""
    draws = Draws(seed, "spots")
    known = sorts()
    wheels = [Wheel(known, [sort.common[n] for sort in known]) for n in range(len(CITIES))]
    ids: set[str] = set()
    found = []
    for n in range(count):
        city = n % len(CITIES)
        lat, lon = draws.choice(centres()[CITIES[city]])
        found.append(
            Spot(
                fresh_id(draws, ids, "0123456789abcdef", 23, "f"),
                wheels[city].draw(draws),
                CITIES[city],
                round(lat + _NEAR * spread(draws), 8),
                round(lon + _NEAR * 1.3 * spread(draws), 8),
                1.0 / draws.between(1, 50),
            )
        )
    return found


def sightings(spots: list[Spot]) -> Iterator[Sighting]:
    """Yield what makes the venues' records."""
    for spot in spots:
        yield Sighting(spot.item_id, spot.sort.name, spot.lat, spot.lon, spot.city)


class _Town:
    """A city's venues by category."""

    def __init__(self, city: str, spots: list[Spot]) -> None:
        self.middles = centres()[city]
        self.winter, self.summer = (-300, -240) if city == "NYC" else (540, 540)
        self.sorts = [sort for sort in sorts() if any(spot.sort == sort for spot in spots)]
        self.number = CITIES.index(city)
        of = {sort.name: [spot for spot in spots if spot.sort == sort] for sort in self.sorts}
        self.wheels: Mapping[str, Wheel[Spot]] = {
            name: Wheel(found, [spot.known for spot in found]) for name, found in of.items()
        }

    def near(self, draws: Draws, sort: Sort, middle: Point) -> Spot:
        """Return the nearest of some known venues of a category."""
        offered = [self.wheels[sort.name].draw(draws) for _ in range(5)]
        return min(offered, key=lambda spot: (abs(spot.lat - middle[0]) + abs(spot.lon - middle[1]), spot.item_id))


def checkins(seed: int, spots: list[Spot], count: int = VISITORS) -> Iterator[CheckIn]:
    """Yield the visits of all people, person by person, in the order of time."""
    draws = Draws(seed, "visitors")
    towns = [_Town(city, [spot for spot in spots if spot.city == city]) for city in CITIES]
    for number in range(1, count + 1):
        town = towns[draws.below(len(towns))]
        yield from _person(Draws(seed, "person", number), town, f"v{number:04}")


def _person(draws: Draws, town: _Town, user_id: str) -> Iterator[CheckIn]:
    home, work = draws.choice(town.middles), draws.choice(town.middles)
    loved = draws.sample(town.sorts, 5)
    weights = [sort.common[town.number] * (5.0 if sort in loved else 0.5) for sort in town.sorts]
    wants = Wheel(town.sorts, weights)
    haunts: dict[str, Spot] = {}
    visits: list[tuple[datetime, Spot]] = []
    for _ in range(draws.between(35, 95)):
        sort = wants.draw(draws)
        on = _BEGIN + timedelta(days=_day(draws, sort))
        minute = draws.between(60 * sort.opens, 60 * sort.closes - 1)
        middle = work if on.weekday() < 5 and 8 <= minute // 60 < 18 else home
        if sort.name in haunts and draws.random() < sort.returning:
            spot = haunts[sort.name]
        else:
            spot = town.near(draws, sort, middle)
            haunts.setdefault(sort.name, spot)
        visits.append((datetime.combine(on, datetime.min.time()) + timedelta(minutes=minute), spot))
    for local, spot in sorted(visits, key=lambda visit: (visit[0], visit[1].item_id)):
        offset = town.winter if local.date() >= _WINTER else town.summer
        utc = local - timedelta(minutes=offset)
        yield CheckIn(spot.item_id, user_id, f"{local:%Y-%m-%dT%H:%M}", f"{utc:%Y-%m-%dT%H:%M}")


def _day(draws: Draws, sort: Sort) -> int:
    """Return a day of the season (0 is a Monday) on which such a venue is usually visited."""
    day = draws.below(_DAYS)
    usual = {"work": day % 7 < 5, "end": day % 7 >= 4, "all": True}[sort.days]
    return day if usual or draws.random() < 0.3 else draws.below(_DAYS)
