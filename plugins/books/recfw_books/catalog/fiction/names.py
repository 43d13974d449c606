"""Names of writers and characters: given names, surnames and their order and gender rules, by culture."""

from collections.abc import Mapping
from importlib.resources import files

from attrs import field, frozen

from recfw.model.draws import Draws

_NEW_FROM, _OLD_UNTIL = 1935, 1905
_GENERATION_SHARE = (
    0.55  # of writers whose given name is typical of their generation, where the culture lists such names
)
_SECOND_GIVEN = 0.04


@frozen
class Name:
    """A person's name: the whole of it, its parts as a title uses them, and whether a woman bears it."""

    full: str
    given: str
    surname: str
    woman: bool


@frozen
class Culture:
    """How people of a culture are named; ``lists`` holds the lines of ``names.txt`` (m, f, s, m_new, …)."""

    label: str
    order: str
    feminine: str = ""
    middle: float = 0.0
    double: float = 0.0
    lists: Mapping[str, tuple[str, ...]] = field(factory=dict)

    def draw(self, draws: Draws, birth: int, woman: bool) -> Name:
        """Draw the name of somebody born in a year."""
        given = self._given(draws, birth, woman)
        if self.order == "mononym":
            return Name(given, given, given, woman)
        surname = self._surname(draws, woman)
        if self.order == "family-first":
            return Name(f"{surname} {given}", given, surname, woman)
        written = given
        if draws.random() < self.middle:
            written = self._with_initials(draws, given, birth, woman)
        return Name(f"{written} {surname}", given, surname, woman)

    def _given(self, draws: Draws, birth: int, woman: bool) -> str:
        sex = "f" if woman else "m"
        generation = f"{sex}_new" if birth > _NEW_FROM else f"{sex}_old" if birth < _OLD_UNTIL else ""
        if generation in self.lists and draws.random() < _GENERATION_SHARE:
            return draws.choice(self.lists[generation])
        return draws.choice(self.lists[sex])

    def _with_initials(self, draws: Draws, given: str, birth: int, woman: bool) -> str:
        """Write a given name with what many English writers print: a middle initial, initials alone, a second name."""
        second = self._given(draws, birth, woman)
        style = draws.weighted(("middle", "initials", "second"), (5, 3, 2))
        if style == "second" and second != given:
            return f"{given} {second}"
        return f"{given} {second[0]}." if style == "middle" else f"{given[0]}. {second[0]}."

    def _surname(self, draws: Draws, woman: bool) -> str:
        surname = draws.choice(self.lists["s"])
        if self.order == "icelandic":
            return surname + ("dóttir" if woman else "son")
        if self.order == "patronymic-given":
            return surname
        if woman and self.feminine:
            surname = _feminine(surname, self.feminine)
        if draws.random() < self.double:
            second = draws.choice(self.lists["s"])
            if second != surname:
                surname = f"{surname} {second}"
        return surname


def _feminine(surname: str, rule: str) -> str:
    """Return the form of a surname that a woman bears."""
    endings: Mapping[str, tuple[tuple[str, str], ...]] = {
        "russian": (("sky", "skaya"), ("ov", "ova"), ("ev", "eva"), ("in", "ina"), ("yn", "yna")),
        "polish": (("ski", "ska"), ("cki", "cka"), ("dzki", "dzka")),
        "czech": (("ý", "á"), ("ek", "ková"), ("ec", "cová"), ("a", "ová"), ("í", "í"), ("o", "ová"), ("", "ová")),
        "greek": (("is", "i"), ("os", "ou"), ("as", "a")),
    }
    for ending, changed in endings[rule]:
        if surname.endswith(ending):
            return surname[: len(surname) - len(ending)] + changed
    return surname


def read_cultures() -> dict[str, Culture]:
    """Return label -> culture, from ``names.txt``."""
    cultures: dict[str, Culture] = {}
    label, options, lists = "", ["western"], dict[str, tuple[str, ...]]()
    text = (files("recfw_books.catalog.fiction") / "names.txt").read_text(encoding="utf-8")
    for line in [*text.splitlines(), "[]"]:
        if line.startswith("["):
            if label:
                cultures[label] = _culture(label, options, lists)
            label, _, rest = line[1:].partition("]")
            options, lists = rest.split(), {}
        elif line and line[0] != "#":
            key, _, words = line.partition(": ")
            lists[key] = tuple(word.replace("_", " ") for word in words.split())
    return cultures


def _culture(label: str, options: list[str], lists: Mapping[str, tuple[str, ...]]) -> Culture:
    settings = dict(option.split("=") for option in options[1:])
    return Culture(
        label,
        options[0],
        settings.get("feminine", ""),
        float(settings.get("middle", 0)),
        float(settings.get("double", 0)),
        lists,
    )
