"""
Draws profiles from roles that are written by hand (the paper, appendix A.3, steps 1 and 3).

A role fixes who somebody is and what it shops for; gender, Big Five and style are drawn freely, the background within
what the role allows, and the interaction settings within what fits its character.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from attrs import frozen

from recfw.model.draws import Draws
from recfw_situated.profiles.records import GENDERS, LEVELS, STYLES, Profile, Traits


@frozen
class Errand:
    """One of a role's four errands: the group of products, what they are for, the request."""

    group: str
    use: str
    request: str


@frozen
class Role:
    """
    Who shops and what for.

    Args:
        scene: Where.
        number: Its place in the bank, from 1.
        fields: As written in ``roles_<scene>.yaml``.
    """

    scene: str
    number: int
    fields: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its profile's id."""
        return f"{self.scene[0]}{self.number:02d}"

    @property
    def likes(self) -> Sequence[str]:
        """Labels that such a shopper minds."""
        return tuple(self.fields["likes"])

    @property
    def errands(self) -> tuple[Errand, ...]:
        """Its four errands."""
        return tuple(Errand(*each) for each in self.fields["errands"])


def _read(name: str) -> Any:
    return yaml.safe_load((files("recfw_situated.profiles") / name).read_text(encoding="utf-8"))


@cache
def _background() -> Mapping[str, Any]:
    held: Mapping[str, Any] = _read("background.yaml")
    return held


@cache
def roles(scene: str) -> tuple[Role, ...]:
    """Return a scene's 25 roles, in the bank's order."""
    return tuple(Role(scene, number, fields) for number, fields in enumerate(_read(f"roles_{scene}.yaml"), 1))


def draw_profile(role: Role, seed: int) -> Profile:
    """Return the profile of a role."""
    draws = Draws(seed, "profile", role.id)
    fields, words = role.fields, _background()
    points = [draws.weighted((1, 2, 3, 4, 5), (1, 2, 3, 2, 1)) for _ in range(5)]
    return Profile(
        id=role.id,
        scene=role.scene,
        role=fields["role"],
        persona=fields["persona"],
        theme=fields["theme"],
        gender=_gender(fields, draws),
        age_group=draws.choice(fields["age"]),
        employment=words["employment"][draws.choice(fields["employment"])],
        occupation=draws.choice(fields["occupation"]),
        household=words["household"][draws.choice(fields["household"])],
        housing=words["housing"][draws.choice(fields["housing"])],
        transport=words["transport"][draws.choice(sorted(words["transport"]))],
        storage=words["storage"][role.scene][draws.choice(sorted(words["storage"][role.scene]))],
        traits=Traits(*points),
        behaviour_style=draws.choice(STYLES),
        patience=_level(fields, "patience", draws),
        price_sensitivity=_level(fields, "price", draws),
        explanation_seeking=_level(fields, "explanation", draws),
        substitute_willingness=_level(fields, "substitutes", draws),
        navigation_following=_level(fields, "navigation", draws),
        talkativeness=_level(fields, "talk", draws),
    )


def _level(fields: Mapping[str, Any], name: str, draws: Draws) -> str:
    allowed: tuple[str, ...] = tuple(fields.get(name, LEVELS))
    return draws.choice(allowed)


_SAID = (("mother", "woman"), ("father", "man"), ("grandfather", "man"), ("widow", "woman"), ("uncle", "man"))
_SAID_TOO = (("hostess", "woman"), ("of her", "woman"))


def _gender(fields: Mapping[str, Any], draws: Draws) -> str:
    """Return a gender; a role whose name tells it is not drawn."""
    name = fields["role"].lower()
    drawn = draws.weighted(GENDERS, (12, 12, 1))
    return next((gender for word, gender in (*_SAID, *_SAID_TOO) if word in name), drawn)
