"""The writers of the fictional works: who wrote how many, when, in which language and genres."""

from collections.abc import Mapping

from attrs import define, field

from recfw.model.draws import Draws
from recfw_books.catalog.fiction.names import Culture, Name
from recfw_books.catalog.fiction.shape import Outline
from recfw_books.catalog.fiction.world import read_rows
from recfw_books.catalog.normalise import normalise_author

_ANOTHER_BY_THE_SAME = 0.66  # of works go first to somebody who has written in that country and language before
_TRIES = 6
_TWO_AUTHORS, _THREE_AUTHORS = 0.045, 0.006
_DEBUT = (22, 48)
_LAST_WORK = 76


@define
class Writer:
    """Somebody who writes: name, year of birth, culture, and the genres of the works so far."""

    name: Name
    birth: int
    culture: str
    genres: set[str] = field(factory=set)


class Writers:
    """All writers so far; outlines must come oldest first, so that a writer's works follow one another."""

    def __init__(self, draws: Draws, cultures: Mapping[str, Culture]) -> None:
        self._draws = draws
        self._cultures = cultures
        self._works: dict[tuple[str, str], list[Writer]] = {}
        self._taken = {normalise_author(name) for (name,) in read_rows("real_names.txt", 1)}

    def authors(self, outline: Outline) -> tuple[Writer, ...]:
        """Return the one to three authors of a work."""
        point = self._draws.random()
        number = 3 if point < _THREE_AUTHORS else 2 if point < _THREE_AUTHORS + _TWO_AUTHORS else 1
        authors: list[Writer] = []
        while len(authors) < number:
            writer = self._known(outline) or self._new(outline)
            if writer not in authors:
                authors.append(writer)
        works = self._works.setdefault((outline.country.label, outline.tongue.label), [])
        for writer in authors:
            writer.genres.update(outline.genres)
            works.append(writer)
        return tuple(authors)

    def _known(self, outline: Outline) -> Writer | None:
        """Draw one of the earlier works' writers who is alive and at home in a genre: who wrote much, writes more."""
        works = self._works.get((outline.country.label, outline.tongue.label))
        if not works or self._draws.random() >= _ANOTHER_BY_THE_SAME:
            return None
        for _ in range(_TRIES):
            writer = self._draws.choice(works)
            alive = writer.birth + _DEBUT[0] <= outline.year <= writer.birth + _LAST_WORK
            if alive and (outline.genres[0] in writer.genres or self._draws.random() < 0.1):
                return writer
        return None

    def _new(self, outline: Outline) -> Writer:
        draws = self._draws
        cultures = outline.tongue.cultures
        label = draws.weighted([name for name, _ in cultures], [share for _, share in cultures])
        birth = outline.year - draws.between(*_DEBUT)
        woman = draws.random() < _women(outline)
        name = self._cultures[label].draw(draws, birth, woman)
        for _ in range(200):
            key = normalise_author(name.full)
            if key not in self._taken:
                self._taken.add(key)
                break
            name = self._cultures[label].draw(draws, birth, woman)
        return Writer(name, birth, label)


def _women(outline: Outline) -> float:
    """Return the share of women among new writers: it grows with time, and differs by genre."""
    year = outline.year
    share = 0.04 if year < 1700 else 0.1 if year < 1800 else 0.22 if year < 1900 else 0.3 if year < 1970 else 0.46
    lean = {"Romance": 1.7, "Children's": 1.4, "Young Adult": 1.4, "Mystery": 1.2, "War": 0.6, "Science Fiction": 0.75}
    return min(share * lean.get(outline.genres[0], 1.0), 0.85)
