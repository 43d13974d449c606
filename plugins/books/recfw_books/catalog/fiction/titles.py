"""Titles of the fictional works: templates by genre and time, filled from word lists and the writer's world."""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from recfw.model.draws import Draws
from recfw_books.catalog.fiction.names import Culture
from recfw_books.catalog.fiction.shape import Outline
from recfw_books.catalog.fiction.world import Country, read_rows
from recfw_books.model import LAST_YEAR

_SLOT = re.compile(r"\{(a:)?([a-z0-9_]+)(\+s)?\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=(\w[\w'-]*))")
_DOUBLED = re.compile(r"\b(The|A|An|the|a|an) [Tt]he ")
_BARE = re.compile(r"The [A-Z]\w+ [A-Z]\w+")
_VOWEL_SOUND = re.compile(r"(?:[AEIOUÁÉÍÓÚÅÄÖØĀĒĪŌŪİÉaeio]|Hour|Honest|Honour|Heir)")
_CONSONANT_SOUND = re.compile(r"(?:Eu|Uni[^nm]|Uto|One\b|Ut[aeo])")
_TRUE_STORIES = frozenset({"Biography & Memoir", "Non-fiction", "Poetry"})
_REPORTED = ("Non-fiction", "Biography & Memoir")  # works that report take their title from one of these
_COMMON_SHARE = 0.2  # of invented stories take a title that fits every genre
_WITHOUT_ARTICLE = 0.3  # of titles like "The Emerald Blade" go without the article
_OTHER_GENRE = 0.25  # of works with several genres take their title from another than the main one
_ABROAD = 0.12  # of places lie in another country
_WITH_ARTICLE = re.compile(
    r"(United|Netherlands|Philippines|Soviet|Czech Rep|Dutch|Ottoman|Mughal|Holy Roman|Papal|Republic|Kingdom|"
    r"German Emp|Russian|Cape Colony|Thirteen|Democratic|Faroe|Polish|Dominican)|dynasty$"
)


@frozen
class Template:
    """A title with slots, its weight and the years (both included) in which such titles were given."""

    text: str
    weight: float
    first: int
    last: int


@frozen
class Word:
    """A word of a list with its plural."""

    one: str
    many: str


class Titles:
    """Draws titles; holds the word lists and templates, no state between titles."""

    def __init__(self, draws: Draws, cultures: Mapping[str, Culture], countries: Sequence[Country]) -> None:
        self._draws = draws
        self._cultures = cultures
        self._words = _read_words()
        self._templates = _read_templates()
        self._places = {name: tuple(p.strip() for p in text.split(",")) for name, text in read_rows("places.txt", 2)}
        self._abroad = [
            country.label for country in countries if country.label in self._places and country.last == LAST_YEAR
        ]
        self._special: dict[str, Callable[[_Scene], str]] = {
            "place": self._place,
            "place_other": self._place,
            "country": lambda scene: _country(scene.outline.country.label),
            "given": lambda scene: self._person(scene).given,
            "given_m": lambda scene: self._person(scene, woman=False).given,
            "given_f": lambda scene: self._person(scene, woman=True).given,
            "surname": lambda scene: self._person(scene).surname,
            "full": lambda scene: self._person(scene).full,
            "himself": lambda scene: "Herself" if scene.woman else "Himself",
            "realm": lambda _: self._coined("realm_a", "realm_b"),
            "orb": lambda _: self._orb(),
            "manor": lambda _: self._manor(),
            "year3": lambda scene: str(scene.outline.year + draws.between(12, 90)),
            "year_far": lambda scene: str((scene.outline.year // 100 + draws.between(1, 9)) * 100),
            "year_past": lambda scene: str(max(scene.outline.year - draws.between(30, 420), 1080)),
        }

    def draw(self, outline: Outline, culture: str) -> str:
        """Draw a title for a work whose (first) writer's names come from a culture."""
        scene = _Scene(outline, culture)
        template = self._template(outline)
        title = _SLOT.sub(lambda match: self._fill(match, scene), template.text)
        title = _DOUBLED.sub(lambda match: match[1] + " ", title)
        title = _ARTICLE.sub(lambda match: f"{match[1]}{'n' if _sounds_open(match[2]) else ''} ", title)
        if _BARE.fullmatch(title) and self._draws.random() < _WITHOUT_ARTICLE:
            title = title.removeprefix("The ")
        return re.sub(r"(^|: |\? |! )(\w)", lambda match: match[1] + match[2].upper(), title)

    def _template(self, outline: Outline) -> Template:
        draws, genres = self._draws, outline.genres
        genre = genres[0]
        reported = [label for label in genres if label in _REPORTED]
        if reported:
            genre = reported[0]
        elif "Children's" in genres and outline.year >= 1890 and draws.random() < 0.7:
            genre = "Children's"
        elif len(genres) > 1 and draws.random() < _OTHER_GENRE:
            genre = draws.choice(genres[1:])
        section = genre
        if not _TRUE_STORIES.intersection(genres):
            old = 0.95 if outline.year < 1780 else 0.55 if outline.year < 1860 else 0.0
            point = draws.random()
            section = "old" if point < old else "*" if draws.random() < _COMMON_SHARE else genre
        for name in (section, genre, "*", "old"):
            fitting = [t for t in self._templates.get(name, ()) if t.first <= outline.year <= t.last]
            if fitting:
                return draws.weighted(fitting, [template.weight for template in fitting])
        raise ValueError(f"templates.txt has no title for {genre} in {outline.year}")

    def _fill(self, match: re.Match[str], scene: "_Scene") -> str:
        article, slot, plural = match.groups()
        while True:
            if slot in self._special:
                one = self._special[slot](scene)
                word = Word(one, _plural(one))
            else:
                word = self._draws.choice(self._words[slot])
            if word.one not in scene.used:
                break
        scene.used.add(word.one)
        text = word.many if plural else word.one
        return f"a {text}" if article else text

    def _person(self, scene: "_Scene", woman: bool | None = None) -> "_Person":
        draws = self._draws
        female = draws.random() < 0.5 if woman is None else woman
        scene.woman = female
        name = self._cultures[scene.culture].draw(draws, min(scene.outline.year - 25, 1960), female)
        return _Person(name.full, name.given, name.surname)

    def _place(self, scene: "_Scene") -> str:
        country = scene.outline.country
        if self._draws.random() < _ABROAD:
            return self._draws.choice(self._places[self._draws.choice(self._abroad)])
        cultures = [label for tongue in country.tongues for label, _ in tongue.cultures]
        for name in (country.label, *cultures, "english"):
            if name in self._places:
                return self._draws.choice(self._places[name])
        raise ValueError("places.txt has no english row")

    def _coined(self, *lists: str) -> str:
        return "".join(self._draws.choice(self._words[name]).one for name in lists)

    def _orb(self) -> str:
        name = self._coined("orb_a", "orb_b")
        return f"{name} {self._coined('orb_c')}" if self._draws.random() < 0.2 else name

    def _manor(self) -> str:
        house = self._draws.choice(self._cultures["english"].lists["s"])
        return f"{house} {self._coined('manor_b')}"


class _Scene:
    """What one title has drawn so far."""

    def __init__(self, outline: Outline, culture: str) -> None:
        self.outline = outline
        self.culture = culture
        self.used: set[str] = set()
        self.woman = False


@frozen
class _Person:
    full: str
    given: str
    surname: str


def _sounds_open(word: str) -> bool:
    """Tell whether "an" goes before a word."""
    return bool(_VOWEL_SOUND.match(word)) and not _CONSONANT_SOUND.match(word)


def _plural(word: str) -> str:
    """Return an English plural by rule; words that break the rule carry theirs in ``words.txt``."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou" and not word.istitle():
        return word[:-1] + "ies"
    return word + "s"


def _country(label: str) -> str:
    return f"the {label}" if _WITH_ARTICLE.search(label) else label


def _read_words() -> dict[str, tuple[Word, ...]]:
    lists: dict[str, tuple[Word, ...]] = {}
    for (row,) in read_rows("words.txt", 1):
        name, _, text = row.partition(" = ")
        pairs = (word.strip().partition("/") for word in text.split(","))
        lists[name] = tuple(Word(one, many or _plural(one)) for one, _, many in pairs)
    return lists


def _read_templates() -> dict[str, tuple[Template, ...]]:
    sections: dict[str, list[Template]] = {}
    for genre, text, weight, years in read_rows("templates.txt", 4):
        first, _, last = years.partition("-")
        sections.setdefault(genre, []).append(Template(text, float(weight), int(first), int(last or LAST_YEAR)))
    return {genre: tuple(templates) for genre, templates in sections.items()}
