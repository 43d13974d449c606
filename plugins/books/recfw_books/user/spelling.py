"""Chat's short forms, and single slips of the words that matter to the matcher, written out."""

import re

from recfw_books.user.lexicon import WORDS

_SHORT_FORMS = {
    "about": "abt",
    "and": "n nd",
    "anything": "anythin anythn nething",
    "are": "r",
    "because": "bc cuz",
    "between": "btw. btwn",
    "book": "bk bks buk",
    "could": "cld cud",
    "country": "cntry ctry",
    "do not know": "dunno",
    "else": "els",
    "format": "fmt frmt",
    "give me": "gimme gimmie",
    "going to": "gonna",
    "got to": "gotta",
    "have": "hav hv",
    "how is": "hows",
    "information": "info",
    "it": "dat",
    "kind of": "kinda",
    "know": "kno",
    "language": "lang langs lingua lng",
    "let me": "lemme",
    "like": "lik",
    "nationality": "natl",
    "new": "nu",
    "old": "olde",
    "paperback": "ppbk",
    "please": "pleez pls plse plz",
    "preferences": "pref prefs",
    "publication": "pub pubn",
    "requirements": "req reqmts reqs rqmts",
    "should": "shd shld shoud shud",
    "something": "smth somethin sth",
    "tell": "tel",
    "the": "da teh",
    "want to": "wanna",
    "what": "wat wht whut wut",
    "what is": "whats",
    "when": "wen whn",
    "where": "were'd wher whr",
    "where is": "wheres",
    "which": "wch whch wich",
    "with": "w/ wiv",
    "would": "wld woud wud",
    "year": "yr yrs",
    "you": "u ya yu",
    "your": "ur yer yr's",
}
_CHAT = {short: word for word, shorts in _SHORT_FORMS.items() for short in shorts.split()}
_KEYWORDS = frozenset(
    """
    genre genres language languages country countries format formats decade century period nationality publication
    published original translation translated audiobook paperback hardcover edition author fantasy mystery romance
    thriller anything something important preference preferences preferred requirement requirements please looking
    """.split()  # noqa: SIM905 - a list of words is read more easily so
)
# What one slip makes of a keyword, and is a word itself.
_REAL_WORDS = frozenset(
    """
    genie gene county counties formal former forma decide decayed gentry mystery romances romanced periodic addition
    additions elise pleased auteur prefers centuries originals
    """.split()  # noqa: SIM905
)


def _slips(word: str) -> set[str]:
    """Return what one slip makes of a word: after its first letter one is missing, added, swapped or wrong."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    cuts = [(word[:i], word[i:]) for i in range(1, len(word) + 1)]
    found = {head + tail[1:] for head, tail in cuts if tail}
    found |= {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    found |= {head + letter + tail for head, tail in cuts for letter in letters}
    if len(word) > 5:
        found |= {head + letter + tail[1:] for head, tail in cuts if tail for letter in letters}
    return found - WORDS - _REAL_WORDS - _KEYWORDS


_SLIPS = {slip: word for word in sorted(_KEYWORDS) for slip in _slips(word)}
_WORD = re.compile(r"[a-z\u00c0-\u024f0-9]+(?:['/-][a-z\u00c0-\u024f]+)*")


def _spelt(match: re.Match[str]) -> str:
    word = match[0]
    return _CHAT.get(word) or _SLIPS.get(word) or word


def spell(text: str) -> str:
    """Return casefolded text with short forms and slips written out."""
    return _WORD.sub(_spelt, text)
