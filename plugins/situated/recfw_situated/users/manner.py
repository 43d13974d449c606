"""What a profile comes to in behaviour: the numbers and habits by which the rule-based user decides."""

from attrs import frozen

from recfw_situated.profiles.records import HIGH, LOW, MEDIUM, Profile
from recfw_situated.tasks.records import Goal

PATIENCE = {LOW: 6, MEDIUM: 9, HIGH: 13}
"""Fruitless turns in a row after which a user gives up."""
FOLLOWS = {LOW: 0.7, MEDIUM: 0.88, HIGH: 1.0}
"""How often guidance is followed; agreeableness adds or takes a little."""
VOLUNTEERS = {LOW: 0, MEDIUM: 3, HIGH: 1}
"""Every how many turns a detail is told unasked; 0 for never."""


@frozen
class Manner:
    """
    How one user behaves.

    Args:
        patience: Fruitless turns in a row that it bears.
        follows: Probability of going where it is told.
        volunteers: Every how many turns it tells a detail unasked; 0 for never.
        asks_why: Whether it wants to hear a reason before it inspects what is recommended.
        asks_fact: Whether it wants a fact, such as the price, too.
        asks_cheaper: Whether it asks for something cheaper before it spends most of its budget.
        budget_first: Whether the budget is the first detail it tells.
        budget_last: Whether the budget is the last one.
        tries: Whether it inspects a fitting product that nobody named.
        hesitates: How many turns it takes to think before it buys.
        compares: Whether it asks for a comparison when something is unsuitable.
        asks: Whether it asks for another when something is unsuitable.
        misses: How many wishes a product may miss, from the start and once another was unsuitable.
        chats: Whether it adds a sentence about itself.
        polite: Whether it thanks and softens; ``blunt`` the opposite.
        blunt: Whether it rejects in few words.
        reads: Whether it names what it read on the package.
        searches: To which side it turns when nothing guides it.
    """

    patience: int
    follows: float
    volunteers: int
    asks_why: bool
    asks_fact: bool
    asks_cheaper: bool
    budget_first: bool
    budget_last: bool
    tries: bool
    hesitates: int
    compares: bool
    asks: bool
    misses: tuple[int, int]
    chats: bool
    polite: bool
    blunt: bool
    reads: bool
    searches: str


def manner_of(profile: Profile, goal: Goal) -> Manner:
    """Return how a shopper with this profile behaves on this errand."""
    traits, accepts = profile.traits, goal.acceptance
    wary = profile.behaviour_style == "hesitant" or traits.neuroticism >= 4
    weighs = profile.behaviour_style == "deliberate"
    kind = 0.06 * (traits.agreeableness - 3)
    later = 1 if profile.substitute_willingness != LOW else 0
    return Manner(
        patience=PATIENCE[profile.patience] + (1 if traits.conscientiousness >= 4 else 0),
        follows=max(0.0, min(1.0, FOLLOWS[profile.navigation_following] + kind)),
        volunteers=VOLUNTEERS[profile.talkativeness],
        asks_why=accepts.explanation != "none" or profile.explanation_seeking == HIGH,
        asks_fact=accepts.explanation == "a reason and a fact" or profile.explanation_seeking == HIGH,
        asks_cheaper=profile.price_sensitivity == HIGH,
        budget_first=profile.price_sensitivity == HIGH,
        budget_last=profile.price_sensitivity == LOW,
        tries=traits.openness >= 4 or profile.behaviour_style == "curious",
        hesitates=min(2, int(wary) + int(weighs)),
        compares=accepts.unsuitable == "compare",
        asks=accepts.unsuitable == "ask",
        misses={
            "none": (0, 0),
            "after rejection": (0, later),
            "open": (later, 1),
        }[accepts.alternatives],
        chats=traits.extraversion >= 4 or profile.behaviour_style == "sociable",
        polite=traits.agreeableness >= 4,
        blunt=traits.agreeableness <= 2 or profile.behaviour_style == "direct",
        reads=traits.conscientiousness >= 4,
        searches="left" if traits.openness % 2 else "right",
    )
