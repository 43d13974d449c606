"""A shopper's profile (the paper, appendix A.2 and A.3): persona, background, personality, interaction settings."""

from attrs import Attribute, field, frozen, validators

LOW, MEDIUM, HIGH = "low", "medium", "high"
LEVELS = (LOW, MEDIUM, HIGH)
STYLES = ("direct", "deliberate", "curious", "sociable", "hesitant")
"""How a shopper goes about it: to the point; weighs before it buys; tries things unasked; chats; needs assurance."""
GENDERS = ("woman", "man", "nonbinary person")

_LEVEL = validators.in_(LEVELS)
_POINT = validators.and_(validators.ge(1), validators.le(5))


def _words(_instance: object, attribute: "Attribute[str]", value: str) -> None:
    if not value.strip():
        raise ValueError(f"{attribute.name} is empty")


@frozen
class Traits:
    """The Big Five, each from 1 (low) to 5 (high)."""

    openness: int = field(validator=_POINT)
    conscientiousness: int = field(validator=_POINT)
    extraversion: int = field(validator=_POINT)
    agreeableness: int = field(validator=_POINT)
    neuroticism: int = field(validator=_POINT)


@frozen
class Profile:
    """
    One shopper.

    Args:
        id: ``s01`` … ``s25`` of the supermarket, ``f01`` … ``f25`` of the furnishings store: the bank's order.
        scene: Where it shops.
        role: Its name in a few words.
        persona: Who it is, in a sentence of the first person.
        theme: What its four errands have in common.
        gender, age_group, employment, occupation: Demographics.
        household, housing, transport, storage: Living conditions; noun phrases, as "a studio flat".
        traits: The Big Five.
        behaviour_style: One of :data:`STYLES`.
        patience: How long it goes on without progress.
        price_sensitivity: How early and how hard it minds the price.
        explanation_seeking: How much it wants to be told why.
        substitute_willingness: How readily it takes something that is not quite what it wished.
        navigation_following: How faithfully it goes where it is told.
        talkativeness: How much it tells unasked.
    """

    id: str = field(validator=_words)
    scene: str = field(validator=_words)
    role: str = field(validator=_words)
    persona: str = field(validator=_words)
    theme: str = field(validator=_words)
    gender: str = field(validator=validators.in_(GENDERS))
    age_group: str = field(validator=_words)
    employment: str = field(validator=_words)
    occupation: str = field(validator=_words)
    household: str = field(validator=_words)
    housing: str = field(validator=_words)
    transport: str = field(validator=_words)
    storage: str = field(validator=_words)
    traits: Traits
    behaviour_style: str = field(validator=validators.in_(STYLES))
    patience: str = field(validator=_LEVEL)
    price_sensitivity: str = field(validator=_LEVEL)
    explanation_seeking: str = field(validator=_LEVEL)
    substitute_willingness: str = field(validator=_LEVEL)
    navigation_following: str = field(validator=_LEVEL)
    talkativeness: str = field(validator=_LEVEL)
