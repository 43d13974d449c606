"""Reads products: what a scene file says of each, and the tags that follow from it."""

from collections.abc import Mapping, Sequence
from typing import Any

from recfw_situated.scenes.files import Entry, models, paints
from recfw_situated.scenes.records import BACKGROUND, Color, Look, Product

NUTRITION = ("serving_g", "calories_kcal", "fat_g", "sugar_g", "protein_g", "sodium_mg")
FREE_FROM = {"gluten free": {"gluten"}, "dairy free": {"milk"}, "nut free": {"nuts", "peanuts"}}
AT_MOST = {"low sugar": ("sugar_g", 5.0), "low fat": ("fat_g", 3.0), "low sodium": ("sodium_mg", 140.0)}
AT_LEAST = {"high protein": ("protein_g", 10.0)}
SIZE_CLASSES = ((60.0, "small"), (125.0, "medium"))  # up to this largest extent in cm; above: large
DARK = 105.0  # luminance below which a mark is written in white


def read_products(where: str, held: Any, vocabulary: frozenset[str], *, furnishings: bool) -> tuple[Product, ...]:
    """
    Return the products of a file, without places and mask colours.

    Raises:
        DataError: A field is missing, unknown, of another type, or a tag is not in the vocabulary.
    """
    entries = held if isinstance(held, list) else []
    found = [_product(_entry(where, number, one), vocabulary, furnishings) for number, one in enumerate(entries, 1)]
    if not found:
        raise Entry(where, {}).error("must be a list of products.")
    return tuple(found)


def _entry(where: str, number: int, fields: Any) -> Entry:
    name = fields.get("id", number) if isinstance(fields, dict) else number
    return Entry(f"{where}: product {name}", fields)


def _product(entry: Entry, vocabulary: frozenset[str], furnishings: bool) -> Product:
    name = entry.text("id")
    if not name or not name.replace("-", "").isalnum() or not name.isascii():
        raise entry.error(
            "'id' must consist of ASCII letters, digits and hyphens.", "Engine objects are named after it."
        )
    width, depth, height = entry.numbers("size", 3)
    attributes = _furnishing(entry, max(width, depth, height)) if furnishings else _grocery(entry)
    tags = _texts(entry, "tags")
    unknown = [tag for tag in tags if tag not in vocabulary]
    if unknown:
        raise entry.error(f"tag {unknown[0]!r} is not in tags.yaml.", "Correct the tag, or add it to a facet there.")
    derived = () if furnishings else _derived(attributes)
    product = Product(
        id=name,
        name=entry.text("name"),
        category=entry.text("category"),
        tags=tuple(dict.fromkeys((*tags, *derived))),
        price=round(entry.number("price"), 2),
        color=BACKGROUND,
        size=(width, depth, height),
        look=_look(entry),
        attributes=attributes,
        places=(),
    )
    entry.done()
    return product


def _texts(entry: Entry, name: str) -> tuple[str, ...]:
    held = entry.take(name, list)
    if not all(isinstance(one, str) for one in held):
        raise entry.error(f"'{name}' must be a list of texts, not {held!r}.")
    return tuple(held)


def _look(entry: Entry) -> Look:
    held = entry.take("look", list)
    if len(held) not in {3, 4} or not all(isinstance(one, str) for one in held):
        raise entry.error(f"'look' must be [model, paint, accent] or [model, paint, accent, mark], not {held!r}.")
    model, paint, accent = held[:3]
    if model not in models():
        raise entry.error(f"no model '{model}' in models.yaml.", f"Known: {', '.join(sorted(models()))}.")
    for one in (paint, accent):
        if one not in paints():
            raise entry.error(f"no paint '{one}' in paints.yaml.", f"Known: {', '.join(sorted(paints()))}.")
    colors = paints()
    return Look(model, colors[paint], colors[accent], ink_on(colors[accent]), held[3] if len(held) == 4 else "")


def ink_on(paper: Color) -> Color:
    """Return black or white, whichever is readable on a paper."""
    dark = 0.299 * paper[0] + 0.587 * paper[1] + 0.114 * paper[2] < DARK
    return (250, 250, 250) if dark else (24, 24, 24)


def _furnishing(entry: Entry, extent: float) -> Mapping[str, Any]:
    size_class = next((name for limit, name in SIZE_CLASSES if extent <= limit), "large")
    return {
        "material": entry.text("material"),
        "color": entry.text("color"),
        "size_class": size_class,
        "style": entry.text("style"),
    }


def _grocery(entry: Entry) -> Mapping[str, Any]:
    amounts: Sequence[Any] = entry.take("nutrition", list, [])
    if amounts and (len(amounts) != len(NUTRITION) or not all(isinstance(one, int | float) for one in amounts)):
        raise entry.error(f"'nutrition' must list {', '.join(NUTRITION)}, or be left out for what is not eaten.")
    return {
        "flavour": entry.text("flavour", "none"),
        "packaging": entry.text("packaging"),
        "allergens": list(_texts(entry, "allergens")) if "allergens" in entry.fields else [],
        "nutrition": dict(zip(NUTRITION, amounts, strict=True)) if amounts else {},
    }


def _derived(attributes: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags that follow from allergens and nutrition, so that they never contradict them."""
    nutrition, allergens = attributes["nutrition"], set(attributes["allergens"])
    if not nutrition:
        return ()
    free = [tag for tag, bad in FREE_FROM.items() if not bad & allergens]
    low = [tag for tag, (field, most) in AT_MOST.items() if nutrition[field] <= most]
    high = [tag for tag, (field, least) in AT_LEAST.items() if nutrition[field] >= least]
    return (*free, *low, *high)
