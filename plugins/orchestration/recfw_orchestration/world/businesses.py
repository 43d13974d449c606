"""Fictional businesses of three cities, and the people who eat, shop and write there."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from attrs import frozen

from recfw.model.draws import Draws
from recfw_orchestration.data.categories import split_categories
from recfw_orchestration.data.records import Business, CheckIn, Profile, Review, Tip
from recfw_orchestration.world.hours import draw_hours, hour_of
from recfw_orchestration.world.opinions import Taste, draw_taste, fill, helpful, opine, suits
from recfw_orchestration.world.wheel import Wheel, fields, fresh, fresh_id, lines, names, phrases, spread, words

BUSINESSES, GUESTS = 1_800, 1_200
ASPECTS = ("ambience", "food", "service", "value")
EATING = frozenset({"Restaurants", "Cafes", "Nightlife"})
"""Groups whose aspect ``food`` is food; elsewhere the craft stands in its place."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BEGIN, _DAYS = date(2019, 1, 1), 1_090
_CITY_SHARES = (9, 6, 5)
_WIDE, _NEAR = 0.045, 0.007
"""Degrees by which quarters lie around a city's middle, and addresses around their quarter's."""


@frozen
class Trade:
    """A category of businesses."""

    name: str
    group: str
    weight: float
    hours: str
    low: int
    high: int
    endings: tuple[str, ...]
    praised: tuple[str, ...]
    also: tuple[str, ...]


@frozen
class Quarter:
    """A neighbourhood of a city, with its middle."""

    name: str
    city: str
    state: str
    lat: float
    lon: float


@frozen
class Shop:
    """A business with what its record does not say: how good it is, by aspect, and how known."""

    record: Business
    trade: Trade
    quarter: Quarter
    quality: Mapping[str, float]
    known: float


def trades() -> list[Trade]:
    """Return the categories of ``businesses.txt``, in its order."""
    found = []
    for line in lines("businesses.txt"):
        name, group, weight, hours, levels, endings, praised, also = fields(line)
        low, high = map(int, levels.split())
        found.append(
            Trade(name, group, float(weight), hours, low, high, words(endings), words(praised), split_categories(also))
        )
    return found


def draw_quarters(seed: int) -> dict[str, list[Quarter]]:
    """Return each city's neighbourhoods."""
    draws = Draws(seed, "quarters")
    found: dict[str, list[Quarter]] = {}
    for line in names()["city"]:
        where, _, quarters = line.partition(": ")
        city, state, lat, lon = words(where)
        found[city] = [
            Quarter(
                name, city, state, float(lat) + _WIDE * spread(draws), float(lon) + _WIDE * 1.3 * spread(draws)
            )
            for name in words(quarters)
        ]  # fmt: skip
    return found


def draw_shops(seed: int, count: int = BUSINESSES) -> list[Shop]:
    """Draw the businesses."""
    draws = Draws(seed, "shops")
    quarters = draw_quarters(seed)
    cities = Wheel(list(quarters), _CITY_SHARES)
    known = trades()
    kinds = Wheel(known, [trade.weight for trade in known])
    ids: set[str] = set()
    taken: set[str] = set()
    found = []
    for _ in range(count):
        trade = kinds.draw(draws)
        quarter = draws.choice(quarters[cities.draw(draws)])
        level = draws.between(trade.low, trade.high)
        quality = {aspect: min(max(0.85 * spread(draws), -1.0), 1.0) for aspect in ("food", "service", "ambience")}
        mean = sum(quality.values()) / 3
        quality["value"] = min(max(mean + 0.25 * (2.2 - level) + 0.35 * spread(draws), -1.0), 1.0)
        name = fresh(taken, lambda t=trade, q=quarter: _name(draws, t, q))  # type: ignore[misc]
        record = Business(
            fresh_id(draws, ids, _LETTERS, 20, "f-"),
            name.partition("\n")[0],
            f"{draws.between(1, 480)} {draws.choice(names()['street'])} {draws.choice(names()['street kind'])}",
            quarter.city,
            quarter.state,
            round(quarter.lat + _NEAR * spread(draws), 6),
            round(quarter.lon + _NEAR * 1.3 * spread(draws), 6),
            level,
            (trade.name, *trade.also),
            _attributes(draws, trade, level, quality),
            draw_hours(draws, trade.hours) if draws.random() > 0.04 else {},
            draws.random() < 0.03,
        )
        found.append(Shop(record, trade, quarter, quality, 1.0 / draws.between(1, 40)))
    return found


def _name(draws: Draws, trade: Trade, quarter: Quarter) -> str:
    """Return a name and, behind a line break, its city: a name occurs once in a city."""
    owner = f"{draws.choice(names()['given'])}'s" if draws.random() < 0.35 else draws.choice(names()["house"])
    second = f" {draws.choice(names()['house'])}" if draws.random() < 0.3 and not owner.endswith("'s") else ""
    return f"{owner}{second} {draws.choice(trade.endings)}\n{quarter.city}"


def _attributes(draws: Draws, trade: Trade, level: int, quality: Mapping[str, float]) -> dict[str, Any]:
    """Return attributes as the public data set names them, in keeping with the business."""

    def often(share: float) -> bool:
        return draws.random() < share

    found: dict[str, Any] = {
        "BikeParking": often(0.6),
        "BusinessAcceptsCreditCards": often(0.93),
        "WheelchairAccessible": often(0.6),
        "BusinessParking": {
            "garage": often(0.2),
            "lot": often(0.35),
            "street": often(0.7),
            "valet": level == 4 and often(0.5),
        },
        "RestaurantsPriceRange2": level,
    }
    if trade.group in EATING:
        noise = ("quiet", "average", "loud", "very_loud")
        pull = quality["ambience"] + 0.5 * spread(draws)
        night = trade.group == "Nightlife"
        found |= {
            "WiFi": draws.weighted(("free", "no", "paid"), (6, 4, 1)),
            "OutdoorSeating": often(0.45),
            "NoiseLevel": noise[(0 if pull > 0.25 else 1 if pull > -0.2 else 2) + (1 if night else 0)],
            "Alcohol": "full_bar" if night or level >= 3 else draws.choice(("none", "beer_and_wine", "full_bar")),
            "GoodForKids": not night and often(0.7),
            "DogsAllowed": often(0.3),
            "HappyHour": often(0.6 if night else 0.2),
            "RestaurantsReservations": level >= 3 or often(0.3),
            "RestaurantsTakeOut": not night and often(0.75),
            "RestaurantsDelivery": not night and often(0.5),
            "Ambience": {
                "casual": level <= 2 and often(0.8),
                "classy": level >= 3 and often(0.6),
                "hipster": often(0.2),
                "intimate": often(0.2),
                "romantic": level >= 3 and often(0.35),
                "trendy": often(0.3),
            },
        }
    else:
        found |= {"ByAppointmentOnly": trade.hours != "early" and often(0.4), "DogsAllowed": often(0.25)}
    return found


@frozen
class Guest:
    """A person who goes out: where home is, what appeals, what matters, what it may cost."""

    user_id: str
    name: str
    home: Quarter
    wants: Wheel[str]
    taste: Taste
    level: float


def draw_guests(seed: int, count: int = GUESTS) -> list[Guest]:
    """Draw the guests."""
    draws = Draws(seed, "guests")
    quarters = draw_quarters(seed)
    cities = Wheel(list(quarters), _CITY_SHARES)
    known = trades()
    ids: set[str] = set()
    found = []
    for _ in range(count):
        loved = draws.sample(known, draws.between(4, 7))
        weights = [trade.weight * (3.0 + 3.0 * draws.random() if trade in loved else 0.15) for trade in known]
        wants = Wheel([trade.name for trade in known], weights)
        home = draws.choice(quarters[cities.draw(draws)])
        taste = draw_taste(draws, ASPECTS)
        user_id = fresh_id(draws, ids, _LETTERS, 20, "u-")
        found.append(Guest(user_id, draws.choice(names()["given"]), home, wants, taste, 1.0 + 3.0 * draws.random()))
    return found


def profiles(seed: int, guests: list[Guest]) -> Iterator[Profile]:
    """Yield what is known of the guests."""
    draws = Draws(seed, "profiles")
    for guest in guests:
        since = (_BEGIN - timedelta(days=draws.below(3_000))).isoformat()
        elite = (2019, 2020) if draws.random() < 0.1 else ()
        yield Profile(guest.user_id, guest.name, f"{since}T12:00", elite, draws.below(80))


def life(seed: int, shops: list[Shop], guests: list[Guest]) -> Iterator[Review | Tip | CheckIn]:
    """Yield reviews, tips and (nameless) check-ins of all guests, guest by guest, in the order of time."""
    by_kind: dict[tuple[str, str], list[Shop]] = {}
    for one in shops:
        if not one.record.closed:
            by_kind.setdefault((one.record.city, one.trade.name), []).append(one)
    wheels = {key: Wheel(found, [one.known for one in found]) for key, found in by_kind.items()}
    number = 0
    for guest in guests:
        draws = Draws(seed, "visits", guest.user_id)
        seen: set[str] = set()
        for day in sorted(draws.below(_DAYS) for _ in range(draws.between(9, 25))):
            shop = _choose(draws, guest, wheels)
            if shop is None or shop.record.item_id in seen:
                continue
            seen.add(shop.record.item_id)
            number += 1
            on = _BEGIN + timedelta(days=day)
            when = f"{on.isoformat()}T{hour_of(draws, shop.record.hours, on.weekday()):02}:{draws.below(60):02}"
            yield _review(draws, guest, shop, when, number)
            if draws.random() < 0.25:
                yield _tip(draws, guest, shop, when)
            if draws.random() < 0.5:
                yield CheckIn(shop.record.item_id, "", when, when)


def _review(draws: Draws, guest: Guest, shop: Shop, when: str, number: int) -> Review:
    # Where nobody eats, the craft is what food is elsewhere.
    food = "food" if shop.trade.group in EATING else "craft"
    quality = {food if aspect == "food" else aspect: value for aspect, value in shop.quality.items()}
    cares = {food if aspect == "food" else aspect: weight for aspect, weight in guest.taste.cares.items()}
    filled = {"praised": draws.choice(shop.trade.praised)}
    said = opine(draws, "local", Taste(cares, guest.taste.generous), quality, filled)
    review_id = f"LR{number:06}"
    return Review(review_id, shop.record.item_id, guest.user_id, said.rating, "", said.text, when, helpful(draws))


def _tip(draws: Draws, guest: Guest, shop: Shop, when: str) -> Tip:
    text = fill(draws.choice(phrases()["local"]["tips"]), {"praised": draws.choice(shop.trade.praised)})
    return Tip(shop.record.item_id, guest.user_id, text, when, helpful(draws) // 4)


def _choose(draws: Draws, guest: Guest, wheels: Mapping[tuple[str, str], Wheel[Shop]]) -> Shop | None:
    """Return the best for the guest of a handful: suiting the taste, the purse and the way there."""
    wheel = wheels.get((guest.home.city, guest.wants.draw(draws)))
    if wheel is None:
        return None
    offered = [wheel.draw(draws) for _ in range(7)]

    def appeal(shop: Shop) -> float:
        level = shop.record.price_level or 2
        way = abs(shop.record.lat - guest.home.lat) + abs(shop.record.lon - guest.home.lon)
        return 0.7 * suits(guest.taste, shop.quality) - 0.18 * abs(level - guest.level) - 6.0 * way

    return max(offered, key=lambda shop: (appeal(shop), shop.record.item_id))
