"""Fictional electronics and the shoppers who review them."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from attrs import frozen

from recfw.model.draws import Draws
from recfw_orchestration.data.records import Product, Review
from recfw_orchestration.world.opinions import Taste, draw_taste, helpful, opine, suits
from recfw_orchestration.world.wheel import Wheel, fields, fresh, fresh_id, lines, names, spread, words

PRODUCTS, SHOPPERS = 3_000, 1_600
ASPECTS = ("battery", "build", "comfort", "connectivity", "display", "setup", "sound", "speed", "value")

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
_BEGIN, _DAYS = date(2021, 1, 4), 1_430
_BRANDS = 60
_COMPANION = 0.35
"""How often a purchase goes with the one before."""


@frozen
class Kind:
    """A category of products: where it stands, what it costs, what matters there, what goes with it."""

    name: str
    department: str
    low: float
    high: float
    nouns: tuple[str, ...]
    qualities: tuple[str, ...]
    aspects: tuple[str, ...]
    companions: tuple[str, ...]
    features: tuple[str, ...]


@frozen
class Brand:
    """A maker: how dear (0..1) and, by aspect, how good (-1..1)."""

    name: str
    dear: float
    good: Mapping[str, float]


@frozen
class Good:
    """A product before its record: what it is like (aspect -> -1..1), how dear for its kind (0..1), how known."""

    item_id: str
    title: str
    noun: str
    kind: Kind
    brand: Brand
    price: float
    dear: float
    known: float
    quality: Mapping[str, float]
    quality_word: str
    colour: str


def kinds() -> list[Kind]:
    """Return the categories of ``products.txt``, in its order."""
    found = []
    for line in lines("products.txt"):
        name, department, prices, nouns, qualities, aspects, companions, features = fields(line)
        low, high = map(float, prices.split())
        found.append(
            Kind(
                name, department, low, high, words(nouns), words(qualities), tuple(aspects.split()), words(companions),
                words(features, ";"),
            )
        )  # fmt: skip
    return found


def draw_brands(seed: int) -> list[Brand]:
    """Draw the makers."""
    draws = Draws(seed, "brands")
    taken: set[str] = set()
    found = []
    for _ in range(_BRANDS):
        name = fresh(taken, lambda: draws.choice(names()["brand first"]) + draws.choice(names()["brand last"]))
        dear = draws.random()
        found.append(Brand(name, dear, {aspect: 0.7 * spread(draws) + 0.3 * (dear - 0.5) for aspect in ASPECTS}))
    return found


def draw_goods(seed: int, count: int = PRODUCTS) -> list[Good]:
    """Draw the products, the same number for each category."""
    draws = Draws(seed, "goods")
    brands = draw_brands(seed)
    ids: set[str] = set()
    titles: set[str] = set()
    found = []
    known = kinds()
    for n in range(count):
        kind = known[n % len(known)]
        brand = draws.choice(brands)
        dear = min(max(0.55 * brand.dear + 0.45 * draws.random() + 0.1 * spread(draws), 0.0), 1.0)
        quality = {
            aspect: min(max(0.5 * brand.good[aspect] + 0.75 * spread(draws) + 0.3 * (dear - 0.5), -1.0), 1.0)
            for aspect in kind.aspects
            if aspect != "value"
        }
        # A dear product must be better than others to be worth its price.
        quality["value"] = min(
            max(sum(quality.values()) / len(quality) + 0.8 * (0.5 - dear) + 0.3 * spread(draws), -1), 1
        )
        word, noun, colour = draws.choice(kind.qualities), draws.choice(kind.nouns), draws.choice(names()["colour"])
        title = fresh(titles, lambda b=brand, w=word, m=noun, c=colour: _title(draws, b, w, m, c))  # type: ignore[misc]
        price = round(kind.low + (kind.high - kind.low) * dear * dear) - (0.01 if draws.random() < 0.7 else 0.5)
        item_id = fresh_id(draws, ids, _LETTERS, 8, "F0")
        known_by = 1.0 / draws.between(1, 60)
        found.append(Good(item_id, title, noun, kind, brand, round(price, 2), dear, known_by, quality, word, colour))
    return found


def _title(draws: Draws, brand: Brand, word: str, noun: str, colour: str) -> str:
    return f"{brand.name} {draws.choice(names()['line'])} {draws.between(1, 9) * 100} {word} {noun}, {colour}"


class Shelves:
    """Goods by category, with the draws of them by how known they are."""

    def __init__(self, goods: list[Good]) -> None:
        self.kinds = kinds()
        self.of: dict[str, list[Good]] = {kind.name: [] for kind in self.kinds}
        for good in goods:
            self.of[good.kind.name].append(good)
        self.wheels = {name: Wheel(found, [good.known for good in found]) for name, found in self.of.items()}

    def companions(self, draws: Draws, good: Good) -> tuple[Good, ...]:
        """Return goods of other categories that go with one, of a like price class."""
        found: list[Good] = []
        for name in good.kind.companions:
            offered = [self.wheels[name].draw(draws) for _ in range(4)]
            best = min(offered, key=lambda other: (abs(other.dear - good.dear), other.item_id))
            if best not in found:
                found.append(best)
        return tuple(found)


def products(seed: int, goods: list[Good], shelves: Shelves) -> tuple[list[Product], dict[str, tuple[Good, ...]]]:
    """Return the goods' records, and what goes with each."""
    draws = Draws(seed, "records")
    found, beside = [], {}
    for good in goods:
        kind = good.kind
        beside[good.item_id] = shelves.companions(draws, good)
        features = tuple(draws.sample(list(kind.features), min(3, len(kind.features))))
        best = max(sorted(good.quality), key=lambda aspect: good.quality[aspect])
        start = _BEGIN - timedelta(days=draws.below(700))
        described = (
            f"The {good.title.partition(',')[0]} is a {good.quality_word.lower()} {good.noun.lower()} by "
            f"{good.brand.name}, made with {best} in mind. It comes with {features[0]}."
        )
        details = {
            "Colour": good.colour,
            "Model": f"{good.brand.name[:2].upper()}-{draws.between(1000, 9999)}",
            "Weight": f"{draws.between(2, 90) * 10} grams",
            "First available": start.isoformat(),
        }
        found.append(
            Product(
                good.item_id, good.title, good.brand.name, kind.name, ("Electronics", kind.department, kind.name),
                good.price, described, features, details, tuple(other.item_id for other in beside[good.item_id]),
            )
        )  # fmt: skip
    return found, beside


@frozen
class Shopper:
    """A person who buys: categories, what matters, whether the dear (1) or the cheap (0) appeals, brands liked."""

    user_id: str
    wants: Wheel[str]
    taste: Taste
    dear: float
    brands: frozenset[str]


def draw_shoppers(seed: int, goods: list[Good], count: int = SHOPPERS) -> Iterator[Shopper]:
    """Draw the shoppers."""
    draws = Draws(seed, "shoppers")
    known = kinds()
    brands = sorted({good.brand.name for good in goods})
    ids: set[str] = set()
    for _ in range(count):
        loved = draws.sample(known, draws.between(3, 6))
        weights = [6.0 + 6.0 * draws.random() if kind in loved else 0.15 for kind in known]
        wants = Wheel([kind.name for kind in known], weights)
        user_id = fresh_id(draws, ids, _LETTERS, 12, "SH")
        yield Shopper(user_id, wants, draw_taste(draws, ASPECTS), draws.random(), frozenset(draws.sample(brands, 5)))


def reviews(seed: int, goods: list[Good], shelves: Shelves, beside: Mapping[str, tuple[Good, ...]]) -> Iterator[Review]:
    """Yield what all shoppers write of what they buy, shopper by shopper, in the order of time."""
    number = 0
    for shopper in draw_shoppers(seed, goods):
        draws = Draws(seed, "purchases", shopper.user_id)
        bought: dict[str, Good] = {}
        last: Good | None = None
        days = sorted(draws.below(_DAYS) for _ in range(draws.between(8, 26)))
        for day in days:
            good = _choose(draws, shopper, shelves, beside, bought, last)
            if good.item_id in bought:
                continue
            bought[good.item_id] = last = good
            said = opine(draws, "electronics", shopper.taste, good.quality, {"thing": good.noun.lower()})
            number += 1
            when = f"{(_BEGIN + timedelta(days=day)).isoformat()}T{draws.below(24):02}:{draws.below(60):02}"
            yield Review(
                f"ER{number:06}",
                good.item_id,
                shopper.user_id,
                said.rating,
                said.title,
                said.text,
                when,
                helpful(draws),
            )


def _choose(
    draws: Draws,
    shopper: Shopper,
    shelves: Shelves,
    beside: Mapping[str, tuple[Good, ...]],
    bought: Mapping[str, Good],
    last: Good | None,
) -> Good:
    """Return the best for the shopper of a handful of known goods, or what goes with the last purchase."""
    offered: list[Good] = []
    if last is not None and draws.random() < _COMPANION:
        offered = [good for good in beside[last.item_id] if good.item_id not in bought]
    if not offered:
        wheel = shelves.wheels[shopper.wants.draw(draws)]
        offered = [wheel.draw(draws) for _ in range(7)]

    def appeal(good: Good) -> float:
        liked = 0.3 if good.brand.name in shopper.brands else 0.0
        return 0.6 * suits(shopper.taste, good.quality) + liked - 0.6 * abs(good.dear - shopper.dear)

    return max(offered, key=lambda good: (appeal(good), good.item_id))
