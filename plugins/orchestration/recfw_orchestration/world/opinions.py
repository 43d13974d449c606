"""What people of the world think and write: qualities meet tastes, and become stars and sentences."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from recfw.model.draws import Draws
from recfw_orchestration.world.wheel import Wheel, phrases, spread

_STARS = ((0.22, 5.0), (0.02, 4.0), (-0.14, 3.0), (-0.3, 2.0))
"""Satisfaction above which so many stars are given."""
_PRAISE, _BLAME = 0.12, -0.12
_LUCK = 0.3
"""How far one specimen or visit may lie from what is usual there."""


@frozen
class Taste:
    """What a person cares about (aspect -> weight, the sum is 1) and how generously he or she rates."""

    cares: Mapping[str, float]
    generous: float


def draw_taste(draws: Draws, aspects: Sequence[str]) -> Taste:
    """Draw a person who cares much about a few aspects and little about the others."""
    chosen = draws.sample(list(aspects), min(3, len(aspects)))
    raw = dict.fromkeys(aspects, 1.0) | {aspect: 4.0 + 6.0 * draws.random() for aspect in chosen}
    total = sum(raw[aspect] for aspect in aspects)
    return Taste({aspect: raw[aspect] / total for aspect in aspects}, 0.1 + 0.15 * spread(draws))


def suits(taste: Taste, quality: Mapping[str, float]) -> float:
    """Return how well qualities (aspect -> -1..1) suit a taste, counting the aspects that there are: -1..1."""
    weight = sum(taste.cares.get(aspect, 0.0) for aspect in quality)
    return sum(taste.cares.get(aspect, 0.0) * value for aspect, value in quality.items()) / weight if weight else 0.0


@frozen
class Opinion:
    """Stars, and the words that go with them."""

    rating: float
    title: str
    text: str


def opine(draws: Draws, domain: str, taste: Taste, quality: Mapping[str, float], filled: Mapping[str, str]) -> Opinion:
    """Return what a person writes: two or three aspects, mostly those that matter to him or her."""
    met = {aspect: value + _LUCK * spread(draws) for aspect, value in quality.items()}
    content = suits(taste, met) + taste.generous
    rating = next((stars for edge, stars in _STARS if content > edge), 1.0)
    mood = "+" if rating >= 4 else "-" if rating <= 2 else "0"
    said = phrases()[domain]
    order = sorted(quality)
    wheel = Wheel(order, [taste.cares.get(aspect, 0.02) for aspect in order])
    wanted = min(draws.between(2, 3), len(order))
    aspects: list[str] = []
    while len(aspects) < wanted:
        aspect = wheel.draw(draws)
        if aspect not in aspects:
            aspects.append(aspect)
    sentences = [draws.choice(said[f"open{mood}"])] if draws.random() < 0.6 else []
    for aspect in aspects:
        sign = "+" if met[aspect] > _PRAISE else "-" if met[aspect] < _BLAME else "0"
        sentences.append(draws.choice(said[f"{aspect}{sign}"]))
    title = draws.choice(said[f"title{mood}"]) if f"title{mood}" in said else ""
    return Opinion(rating, fill(title, filled), fill(" ".join(sentences), filled))


def fill(text: str, filled: Mapping[str, str]) -> str:
    """Return a phrase with its slots filled."""
    for slot, word in filled.items():
        text = text.replace(f"{{{slot}}}", word)
    return text


def helpful(draws: Draws) -> int:
    """Return how many votes a review has: mostly none, rarely many."""
    return draws.below(1 << draws.below(5)) if draws.random() < 0.4 else 0
