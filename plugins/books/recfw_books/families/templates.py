"""
The 13 templates of a task family: each a fixed combination of fields and year bounds, and how many families follow it.

=============================  =======  ==============================================  ===========  ===
template                       tier     predicates                                      satisfiable  NVR
=============================  =======  ==============================================  ===========  ===
genre_country                  simple   genre, country                                           12    3
genre_language                 simple   genre, language                                          11    2
genre_from                     simple   genre, year >=                                           11    0
genre_until                    simple   genre, year <=                                           11    0
genre_pair_from                medium   genre, genre, year >=                                     6    0
genre_pair_until               medium   genre, genre, year <=                                     7    0
genre_range                    medium   genre, year >=, year <=                                   6    0
genre_country_from             medium   genre, country, year >=                                   6    1
genre_country_until            medium   genre, country, year <=                                   6    1
genre_country_range            medium   genre, country, year >=, year <=                          7    2
genre_language_range           medium   genre, language, year >=, year <=                         7    1
genre_pair_country_range       complex  genre, genre, country, year >=, year <=                  25    5
genre_pair_language_range      complex  genre, genre, language, year >=, year <=                 20    0
=============================  =======  ==============================================  ===========  ===

The tiers are those of the paper (section 3): 2, 3 to 4, and 5 predicates. The names, the combinations and the shares
are ours, since the paper gives none: 50 families a tier, 15 of the 150 without a valid recommendation, and a country in
68 of them, as in the paper.
"""

from attrs import frozen

TIERS = ("simple", "medium", "complex")


@frozen
class Template:
    """
    One fixed combination of fields and year bounds, and its share of the families.

    ``genres`` is how many genres it asks for; ``place`` the field with a label tree: "language", "country" or "".
    """

    name: str
    tier: str
    genres: int
    place: str
    year_from: bool
    year_until: bool
    satisfiable: int
    nvr: int

    @property
    def size(self) -> int:
        """Return the number of predicates; a year range counts as two."""
        return self.genres + bool(self.place) + self.year_from + self.year_until


TEMPLATES = (
    Template("genre_country", "simple", 1, "country", False, False, 12, 3),
    Template("genre_language", "simple", 1, "language", False, False, 11, 2),
    Template("genre_from", "simple", 1, "", True, False, 11, 0),
    Template("genre_until", "simple", 1, "", False, True, 11, 0),
    Template("genre_pair_from", "medium", 2, "", True, False, 6, 0),
    Template("genre_pair_until", "medium", 2, "", False, True, 7, 0),
    Template("genre_range", "medium", 1, "", True, True, 6, 0),
    Template("genre_country_from", "medium", 1, "country", True, False, 6, 1),
    Template("genre_country_until", "medium", 1, "country", False, True, 6, 1),
    Template("genre_country_range", "medium", 1, "country", True, True, 7, 2),
    Template("genre_language_range", "medium", 1, "language", True, True, 7, 1),
    Template("genre_pair_country_range", "complex", 2, "country", True, True, 25, 5),
    Template("genre_pair_language_range", "complex", 2, "language", True, True, 20, 0),
)
