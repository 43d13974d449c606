"""The words that name a field or one of its values in an agent's turn; patterns expect casefolded text."""

import re

FIELDS = ("genre", "language", "country", "year", "format")


def either(*alternatives: str) -> str:
    """Return a regular expression that matches any of the alternatives."""
    return f"(?:{'|'.join(alternatives)})"


LANGUAGE_WORD = either(
    "english|french|german|spanish|italian|russian|japanese|chinese|mandarin|portuguese|dutch|swedish|norwegian|danish",
    "finnish|polish|czech|hungarian|romanian|bulgarian|ukrainian|arabic|hebrew|hindi|bengali|urdu|persian|turkish",
    "korean|vietnamese|greek|latin|catalan|irish|welsh|icelandic|yiddish",
)
NATION_WORD = either(
    "american|british|canadian|australian|scottish|indian|mexican|brazilian|argentin(?:e|ian)|african|asian|european",
    "nordic|new zealand|south african|nigerian|austrian|swiss|belgian|israeli|egyptian",
)
PLACE = r"(?:the )?" + either(
    r"usa?|uk|united states|united kingdom|america|britain|england|scotland|ireland|wales|france|germany|spain",
    "italy|russia|japan|china|canada|australia|india|sweden|norway|denmark|poland|mexico|brazil|argentina|africa",
    "asia|europe|latin america|scandinavia|korea|austria|switzerland|netherlands",
)
WORK = "(?:books?|stor(?:y|ies)|novels?|fiction|reads?|reading|literature|narratives?|titles?)"
WRITER = "(?:authors?|writers?|novelists?|literature)"

NOUNS = {
    "genre": re.compile(
        r"\b"
        + either(
            r"(?:sub-?)?genres?",
            r"categor(?:y|ies)",
            rf"(?:kinds?|types?|sorts?) of {WORK}",
            r"themes?|topics?|subjects?|(?:it|book) be about",
        )
        + r"\b"
    ),
    "language": re.compile(r"\b(?:languages?|translat\w+|original(?:ly)? (?:written )?in)\b"),
    "country": re.compile(
        r"\b"
        + either(
            r"countr(?:y|ies)|origins?|nationalit(?:y|ies)|nations?|regions?|continents?|geograph\w+",
            r"parts? of the world|places? of publication",
            r"where (?:\w+ ){0,6}?(?:from|comes?|originate[sd]?|published)|from where",
            rf"{WRITER} (?:\w+ )?from",
            r"from (?:somewhere|(?:a|any|some|which) (?:\w+ )?place)",
            rf"{either(LANGUAGE_WORD, NATION_WORD, 'foreign')} {WRITER}",
        )
        + r"\b"
    ),
    "year": re.compile(
        r"\b"
        + either(
            r"publication (?:window|span|time|range)|age of the book",
            r"years?|eras?|decades?|periods?|centur(?:y|ies)|dates?|vintage",
            r"time ?-?(?:frames?|ranges?|spans?|windows?)",
            r"how (?:old|new|recent|modern|far back)|time of (?:publication|writing|release)",
            r"when (?:\w+ ){0,5}(?:published|written|released|came out|come out|from)",
            r"(?:published|written|released|publication) (?:\w+ ){0,4}?"
            + either(r"before|after|between|around|recent(?:ly)?|lately|earlier|later|date|when"),
        )
        + r"\b"
    ),
    "format": re.compile(
        r"\b"
        + either(
            r"formats?|editions?|audio ?-?books?|e-?books?|e-?readers?|kindle|digital(?:ly)?|on paper|listen(?:ing)?",
            r"hard ?-?(?:covers?|backs?|cop(?:y|ies))|paper ?backs?|print(?:ed)?|physical",
            r"how (?:would|do|will|are) you (?:\w+ ){0,4}?(?:read|reading)",
        )
        + r"\b"
    ),
}

# Values that two of a kind make a question of ("recent or a classic?").
VALUES = {
    "genre": re.compile(
        r"\b"
        + either(
            r"science fiction|sci-?fi|fantas(?:y|ies)|myster(?:y|ies)|thrillers?|romances?|horror|crime|poetry|drama",
            r"historical fiction|biograph(?:y|ies)|memoirs?|non-?fiction|dystopian?|adventures?|satire|humou?r",
            r"literary|children's|young adult|ya|war (?:stor\w+|novels?|books?)",
            r"(?<!science )(?<!historical )(?<!literary )fiction(?= or| vs)",
        )
        + r"\b"
    ),
    "language": re.compile(rf"\b{LANGUAGE_WORD}\b"),
    "country": re.compile(rf"\b{NATION_WORD}\b|\b(?:from|in|or) {PLACE}(?!\w)"),
    "year": re.compile(
        r"\b"
        + either(
            r"recent(?:ly)?|classics?|modern|contemporary|old(?:er)?|newer|new|latest|vintage",
            r"(?:before|after) \d{4}|\d{4}s?|\d{1,2}(?:st|nd|rd|th)(?:[ -]century)?",
        )
        + r"\b"
    ),
}
# Values that count alone in a question about the wish ("Should it be in English?").
SINGLE_VALUES = {
    "genre": VALUES["genre"],
    "language": re.compile(rf"\b(?:in (?:\w+ )?|(?:read|speak|understand) ){LANGUAGE_WORD}\b"),
    "country": re.compile(rf"\b(?:from|outside(?: of)?) {PLACE}(?!\w)"),
    "year": re.compile(
        r"\b(?:recent(?:ly)?|classics?|modern|contemporary|older|newer|(?:before|after|since) \d{4}|the \d{4}s)\b"
    ),
}
BETWEEN_ALTERNATIVES = re.compile(r"[^?]{0,30}?(?:\bor\b|/|\bvs\b|\bversus\b|\brather than\b)[^?]{0,25}")

# What may stand in quotes or emphasis without being a title.
FIELD_WORDS_ONLY = re.compile(
    "(?:"
    + either(
        r"the|your|any|other|preferred|additional|of|and|or|author'?s?|original|s|/|&|,|\(s\)|what|which|when|where|how",
        r"genres?|sub-?genres?|languages?|country|countries|origin|region|nationality|years?|eras?|dates?|decades?|time",
        r"publication|range|period|formats?|audio ?books?|e-?books?|paperbacks?|hardcovers?",
        r"fantasy|mystery|horror|romance|science|fiction|classics?|recent|modern|english|french",
    )
    + r"[\s,]*)+"
)
