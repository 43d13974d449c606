"""What an agent knows of the user's wish so far, as filters of a search and as a check of a found book."""

from collections.abc import Mapping
from typing import Any

import attrs
from attrs import frozen

from recfw_books.agents.reading import (
    COUNTRY,
    GENRE,
    LABELS,
    LANGUAGE,
    YEAR_MAX,
    YEAR_MIN,
    Heard,
    Liking,
    Requirement,
    Value,
)

Item = Mapping[str, Any]
"""A book as the tools show it: id, title, authors, year, genres, language, country."""


@frozen
class Wish:
    """
    What has been told; equal where nothing new was.

    Args:
        requirements: Each once, in the order in which they were told.
        formats: The accepted formats, empty where any is or none was named.
        declined: Fields that hold a requirement which the user does not tell.
        likings: What would be liked besides.
    """

    requirements: tuple[Requirement, ...] = ()
    formats: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    likings: tuple[Liking, ...] = ()

    def after(self, heard: Heard) -> "Wish":
        """Return the wish once a message was heard."""
        return attrs.evolve(
            self,
            requirements=tuple(dict.fromkeys((*self.requirements, *heard.requirements))),
            formats=self.formats if heard.formats is None else heard.formats,
            declined=tuple(dict.fromkeys((*self.declined, *heard.declined))),
            likings=tuple(dict.fromkeys((*self.likings, *heard.likings))),
        )

    def values(self, field: str) -> tuple[Value, ...]:
        """Return the values told for a field."""
        return tuple(each.value for each in self.requirements if each.field == field)

    def labels(self) -> tuple[str, ...]:
        """Return the labels told, in order: what a keyword query can hold."""
        return tuple(str(each.value) for each in self.requirements if each.field in LABELS)

    def filters(self) -> list[dict[str, Any]]:
        """
        Return the arguments of the structured searches of which any one holds all matches, without a page.

        The tool takes one genre, so there is a set of arguments for each genre told. The tightest year bounds count; a
        second language or country is left to :meth:`meets`.
        """
        shared: dict[str, Any] = {}
        for field in (LANGUAGE, COUNTRY):
            if told := self.values(field):
                shared[field] = told[0]
        if lower := self.values(YEAR_MIN):
            shared[YEAR_MIN] = max(lower)
        if upper := self.values(YEAR_MAX):
            shared[YEAR_MAX] = min(upper)
        if self.formats:
            shared["formats"] = list(self.formats)
        return [{GENRE: genre, **shared} for genre in self.values(GENRE)] or [shared]

    def left_open(self, filters: Mapping[str, Any]) -> tuple[Requirement, ...]:
        """Return the requirements that one set of arguments of :meth:`filters` does not see to."""
        return tuple(
            each for each in self.requirements if each.field in LABELS and filters.get(each.field) != each.value
        )


def meets(item: Item, requirements: tuple[Requirement, ...]) -> bool:
    """
    Tell whether a found book shows that it meets requirements.

    A label counts where the book carries it itself: which labels a broader one covers is not shown in the metadata.
    """
    return all(_meets(item, each) for each in requirements)


def _meets(item: Item, requirement: Requirement) -> bool:
    value = requirement.value
    match requirement.field:
        case "genre":
            return value in item["genres"]
        case "year_min":
            return bool(item["year"] >= value)
        case "year_max":
            return bool(item["year"] <= value)
        case field:
            return bool(item[field] == value)
