"""The fictional catalog as a whole: outlines get writers, titles, popularity and ids, and are shuffled for ever."""

from recfw.model.draws import Draws
from recfw_books.catalog.fiction.names import read_cultures
from recfw_books.catalog.fiction.people import Writer, Writers
from recfw_books.catalog.fiction.shape import Outline, draw_outlines, draw_sitelinks
from recfw_books.catalog.fiction.titles import Titles
from recfw_books.catalog.fiction.world import read_countries, read_trees
from recfw_books.catalog.formats import formats_of
from recfw_books.catalog.normalise import normalise_title, work_key
from recfw_books.catalog.records import BookCatalog
from recfw_books.model import Book

COUNT, SEED = 20_000, 1
# Wikidata's item numbers are below 150 million (nine digits); these have ten and begin with 9.
_FIRST_NUMBER, _NUMBERS = 9_000_000_000, 1_000_000_000
_SAME_TITLE = 0.02  # chance that a title which another work has is kept, as real catalogs hold such pairs
_TRIES = 400


def generate(count: int = COUNT, seed: int = SEED) -> BookCatalog:
    """
    Return a catalog of fictional works; equal arguments give equal catalogs.

    No two works share normalised title and authors; a plain title occurs twice rarely. English, the United States and
    the United Kingdom have the paper's shares (83.2 %, 41.5 %, 13.4 %) counting what each of these labels covers.

    Args:
        count: How many works; a few thousand at least, so that every label can occur.
        seed: Names the draws.
    """
    countries, cultures = read_countries(), read_cultures()
    outlines = draw_outlines(count, seed, countries)
    writers = Writers(Draws(seed, "writers"), cultures)
    namer = _Namer(Titles(Draws(seed, "titles"), cultures, countries), Draws(seed, "same titles"))
    links, numbers = Draws(seed, "sitelinks"), Draws(seed, "ids")
    ids: set[str] = set()
    books = []
    for outline in outlines:
        authors = writers.authors(outline)
        language = outline.tongue.label
        book_id = _new_id(numbers, ids)
        books.append(
            Book(
                book_id,
                namer.title(outline, authors),
                tuple(writer.name.full for writer in authors),
                outline.year,
                tuple(sorted(outline.genres)),
                language,
                outline.country.label,
                draw_sitelinks(links, outline.year, language),
                formats_of(book_id),
            )
        )
    Draws(seed, "order").shuffle(books)
    return BookCatalog(tuple(books), read_trees())


class _Namer:
    """Hands out titles and sees to it that works differ."""

    def __init__(self, titles: Titles, draws: Draws) -> None:
        self._titles = titles
        self._draws = draws
        self._plain: set[str] = set()
        self._works: set[tuple[str, tuple[str, ...]]] = set()

    def title(self, outline: Outline, authors: tuple[Writer, ...]) -> str:
        names = [writer.name.full for writer in authors]
        for _ in range(_TRIES):
            title = self._titles.draw(outline, authors[0].culture)
            plain, key = normalise_title(title), work_key(title, names)
            if key in self._works or (plain in self._plain and self._draws.random() >= _SAME_TITLE):
                continue
            self._plain.add(plain)
            self._works.add(key)
            return title
        raise ValueError(f"no new title for {outline.genres} in {outline.year} after {_TRIES} draws")


def _new_id(draws: Draws, taken: set[str]) -> str:
    while (book_id := f"wd_Q{_FIRST_NUMBER + draws.below(_NUMBERS)}") in taken:
        pass
    taken.add(book_id)
    return book_id
