"""
The signs by which the classifier tells, sentence by sentence, what a turn asks about.

A sentence gives one set of signs for "this is an open request" and one for each field, "this asks about it". Most of
them do not say which field it is: in ``which Nf do you want`` the field in question stands as ``Nf`` (named by a noun)
or ``Vf`` (by a value), any other as ``No`` or ``Vo``, so what is learned of one holds for all five. Beside the words
themselves stand their classes (``word_classes.txt``: WH, WANT, TELL …), the patterns of :mod:`.asking`, :mod:`.intent`
and :mod:`.openness` that match the sentence and its clauses, what stands before and after it, and what the rules say of
it (:mod:`.ruled`). A sign is a readable string; :mod:`.weights` knows what each is worth.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.resources import files

from attrs import field, frozen

from recfw_books.user import asking, clauses, intent, openness
from recfw_books.user.lexicon import FIELDS, LETTERS
from recfw_books.user.mentions import ALL, mentions
from recfw_books.user.turns import TAG, TITLE, Sentence

_WORD = re.compile(r"[NV][GLCYFN]\b|[a-z\u00c0-\u024f]+(?:n't)?|'[a-z]+|\d+|[?!.:,;\u00a7\u00a4\u2026\u2014]")
_LETTER = {name: letter for letter, name in LETTERS.items()}
_NAMES = frozenset({"Nf", "No", "Vf", "Vo"})
_JOINS = frozenset({",", "and", "or", "the", "a", "an", "/", "in", "of"})
_LEADS = frozenset(
    """
    and but so ok okay well oh hm hmm right now then also btw lol haha hey hi hello great perfect good thanks sure ah
    alas omg cool ugh , . ! ; :
    """.split()  # noqa: SIM905 - a list of words is read more easily so
)
_ANCHORED = frozenset({"ONSET", "UNMARKED", "PLAN", "CONSEQUENCE", "RHETORICAL", "OF_THE_WORLD", "ANSWERED"})
_PATTERNS = tuple(
    (name, pattern.match if name in _ANCHORED else pattern.search)
    for module in (asking, intent, openness)
    for name, pattern in sorted(vars(module).items())
    if isinstance(pattern, re.Pattern) and not name.startswith("_")
)
_PLAIN = frozenset({"*", ",", "AUX", "THE", "A", "FROM", "AND", ".", "!", ":", ";"})
_LOOK_BACK = 12  # sentences, as in the rules
_GAP = 3  # words between the names of a list


def _read_classes() -> dict[str, str]:
    text = files("recfw_books.user").joinpath("word_classes.txt").read_text(encoding="utf-8")
    lines = (line.partition(":") for line in text.splitlines())
    return {word: name for name, _, words in lines for word in words.split()}


_CLASS = _read_classes()


@frozen
class Signs:
    """
    The signs of one sentence for one question: a field's name, or None for "is it an open request?".

    Signs stand in tables, each with worths of its own: ``open``; ``field``, which all five have in common; ``named``,
    ``before`` and ``earlier``, for a field that the sentence, the one before or an earlier one names; and one for each
    field, of the words as they are.
    """

    field: str | None
    tables: tuple[tuple[str, frozenset[str]], ...]
    ruled: frozenset[str]
    """What the rules say, as signs; apart, since they are withheld from training where the rules knew the turn."""

    @property
    def table(self) -> str:
        """The table of what the rules say."""
        return "field" if self.field else "open"


def _words(marked: str) -> list[str]:
    found: list[str] = []
    for word in _WORD.findall(marked):
        if word[0].isdigit():
            found.append("#")
        elif word.endswith("n't") and word != "n't":
            found += (word[:-3], "n't")
        else:
            found.append(word)
    return found


def _is_mark(word: str) -> bool:
    return len(word) == 2 and word[0] in "NV" and word[1].isupper()


def _list_end(words: Sequence[str], start: int) -> int:
    """Return where a list of names that begins at ``start`` ends ("the NG, the NL and NY")."""
    end = start + 1
    while True:
        k = end
        while k < len(words) and words[k] in _JOINS and k - end < _GAP:
            k += 1
        if k < len(words) and _is_mark(words[k]):
            end = k + 1
        else:
            return end


def _about(words: Sequence[str], letter: str | None) -> list[str]:
    """Return words with lists of names as one, seen from a field (None: from any), and without what leads in."""
    found: list[str] = []
    i = 0
    while i < len(words):
        if not _is_mark(words[i]):
            found.append(words[i])
            i += 1
            continue
        end = _list_end(words, i)
        names = [word for word in words[i:end] if _is_mark(word)]
        kind = "N" if any(name[0] == "N" for name in names) else "V"
        own = letter is None or any(name[1] == letter or (name[1] == "N" and letter in "LC") for name in names)
        found.append(kind + ("f" if own else "o") + ("+" if len(names) > 1 else ""))
        i = end
    first = next((k for k, word in enumerate(found) if word not in _LEADS), len(found) - 1)
    return found[max(first, 0) :]


def _class(word: str) -> str:
    if word[:2] in _NAMES or not (word[0].isalpha() or word[0] == "'"):
        return word
    if word[0] == "'":
        return "MODAL" if word in {"'d", "'ll"} else "AUX"
    return _CLASS.get(word, "*")


def _classes(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        name = _class(word)
        if name != "*" or found[-1:] != ["*"]:
            found.append(name)
    return found


def _runs(words: Sequence[str], prefix: str, longest: int) -> list[str]:
    return [
        prefix + " ".join(words[i : i + size]) for size in range(1, longest + 1) for i in range(len(words) - size + 1)
    ]


def _ends(words: Sequence[str], prefix: str, longest: int) -> list[str]:
    starts = [f"{prefix}^{' '.join(words[:size])}" for size in range(1, longest + 1)]
    return starts + [f"{prefix}${' '.join(words[-size:])}" for size in (1, 2, 3)]


def _pairs(names: Sequence[str], prefix: str) -> list[str]:
    kinds = sorted(set(names) - _PLAIN)
    return [f"{prefix}{a}&{b}" for i, a in enumerate(kinds) for b in kinds[i + 1 :]]


def _skips(words: Sequence[str], prefix: str) -> list[str]:
    return [f"{prefix}{a}_{b}" for a, b in zip(words, words[2:], strict=False)]


def _body(words: Sequence[str], end: str) -> list[str]:
    """Return the signs of a sentence's words and of their classes."""
    names = _classes(words)
    return [
        *_runs(words, "", 3),
        *_skips(words, ""),
        *_ends(words, "", 4),
        *_runs(words, end, 2),
        *_runs(names, "x", 4),
        *_skips(names, "x"),
        *_ends(names, "x", 5),
        *_runs(names, f"x{end}", 3),
    ]


@frozen(slots=False)
class _Clause:
    """A clause, what it names, and which patterns match it."""

    text: str

    @cached_property
    def words(self) -> list[str]:
        return _words(self.text)

    @cached_property
    def named(self) -> frozenset[str]:
        return mentions(self.text)

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        return tuple(name for name, matches in _PATTERNS if matches(self.text))

    def signs(self, letter: str | None) -> list[str]:
        words = _about(self.words, letter)
        names = _classes(words)
        return [
            *_ends(words, "k", 4),
            *_ends(names, "kx", 5),
            *_pairs(names, "kc"),
            f"K{' '.join(words)}",
            f"KX{' '.join(names)}",
        ]


@frozen(slots=False)
class _Seen:
    """A sentence, what it is cut into, and what it names."""

    part: Sentence
    head: "_Seen | None"
    """The sentence that it stands under, for a list's item."""
    bodies: dict[tuple[str, ...], list[str]] = field(factory=dict, init=False, eq=False, repr=False)

    @cached_property
    def words(self) -> list[str]:
        return _words(self.part.marked)

    @cached_property
    def named(self) -> frozenset[str]:
        return mentions(self.part.marked)

    @cached_property
    def cut(self) -> list[_Clause]:
        return [_Clause(piece) for piece in clauses.split(self.part.marked)]

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for clause in self.cut for name in clause.patterns))

    @cached_property
    def end(self) -> str:
        last = self.part.text.rstrip()[-1:]
        return "?" if self.part.question else last if last in {"!", ":"} else "."

    def body(self, letter: str | None) -> list[str]:
        """Return the signs of the words as seen from a field; most fields see the same, so that they are kept."""
        words = _about(self.words, letter)
        key = tuple(words)
        if key not in self.bodies:
            self.bodies[key] = _body(words, self.end)
        return self.bodies[key]

    @cached_property
    def raw(self) -> frozenset[str]:
        return frozenset(_runs(_words(self.part.text), "", 2))


def signs_of(parts: Sequence[Sentence], ruled: Sequence[frozenset[str]]) -> Iterator[tuple[Signs, ...]]:
    """
    Yield for each sentence its six sets of signs: of an open request, and of each field.

    Args:
        parts: A turn's sentences.
        ruled: What the rules say of each (:func:`.ruled.ruled`).
    """
    seen: list[_Seen] = []
    for part in parts:
        above = seen[-1] if seen else None
        seen.append(_Seen(part, (above.head if above and above.part.bullet else above) if part.bullet else None))
    whole = frozenset[str]().union(*ruled)
    tagged = any(TAG in part.text or TITLE in part.text for part in parts)
    for i, sentence in enumerate(seen):
        around = [f"tag{tagged:d}", *_around(seen, i)]
        yield (
            Signs(None, (("open", _open(sentence, around)),), _rule_signs(sentence, None, ruled[i], whole)),
            *(_field(seen, i, name, around, _rule_signs(sentence, name, ruled[i], whole)) for name in FIELDS),
        )


def _around(seen: Sequence[_Seen], i: int) -> list[str]:
    """Return what does not depend on the question: the patterns that match, and what stands around the sentence."""
    own, last = seen[i], i + 1 == len(seen)
    signs = [
        f"e{own.end}",
        f"l{own.end}{last}",
        f"b{own.part.bullet:d}",
        f"own{TAG in own.part.text:d}",
        f"one{len(seen) == 1:d}",
        f"pv{seen[i - 1].end if i else 0}",
    ]
    for name in own.patterns:
        signs += (f"s:{name}", f"s{own.end}:{name}")
    if i:
        signs += (f"ps:{name}" for name in seen[i - 1].patterns)
    if not last:
        after = seen[i + 1]
        signs += (f"nx{word}" for word in after.words[:1])
        signs += (f"ne{after.end}{after.part.bullet:d}", f"nt{after.part.text[:1] in (TAG, TITLE):d}")
    if own.part.bullet:
        signs.append(f"h{own.head.end if own.head else 0}")
    return signs


def _code(asked: frozenset[str], name: str | None) -> str:
    if asked == ALL:
        return "a"
    if name in asked:
        return "f"
    return "o" if asked else "-"


def _rule_signs(sentence: _Seen, name: str | None, asked: frozenset[str], whole: frozenset[str]) -> frozenset[str]:
    said = _code(asked, name) + _code(whole, name)
    return frozenset({f"R{said}", f"R{said}{sentence.end}"})


def _open(sentence: _Seen, around: Sequence[str]) -> frozenset[str]:
    found = [*around, *sentence.body(None)]
    for clause in sentence.cut:
        found += clause.signs(None)
        named = "N" if clause.named else ""
        found += (f"k{named}:{name}" for name in clause.patterns)
    return frozenset(found)


def _field(seen: Sequence[_Seen], i: int, name: str, around: Sequence[str], ruled: frozenset[str]) -> Signs:
    own = seen[i]
    here = name in own.named
    back = next((d for d in range(1, min(_LOOK_BACK, i) + 1) if name in seen[i - d].named), 0)
    place = "named" if here else "before" if back == 1 else "earlier" if back else ""
    tables = [
        ("field", frozenset({f"m{place}", f"m{place}{own.end}"})),
        (name, own.raw),
        (name, frozenset({f"m{place}"})),
    ]
    if place:
        body = [*around, *own.body(_LETTER[name])]
        body += _naming_clauses(own, name) if here else [f"n{bool(own.named):d}"]
        tables.append((place, frozenset(body)))
    return Signs(name, tuple(tables), ruled)


def _naming_clauses(own: _Seen, name: str) -> list[str]:
    """Return the signs of the clauses that name a field, and of the head of the list that they stand in."""
    found: list[str] = []
    for k, clause in enumerate(own.cut):
        if name in clause.named:
            found += clause.signs(_LETTER[name])
            found += _runs(_classes(_about(clause.words, _LETTER[name])), "kx", 4)
            for pattern in clause.patterns:
                found += (f"k:{pattern}", f"k{own.end}:{pattern}")
            found.append(f"kp{min(3, len(own.cut) - k)}")
            found += (f"kn{word}" for word in _neighbour(own.cut, k + 1))
            found += (f"kb{word}" for word in _neighbour(own.cut, k - 1))
    if own.head:
        found += (f"h:{word}" for word in (*own.head.patterns, *own.head.words))
    return found


def _neighbour(cut: Sequence[_Clause], k: int) -> list[str]:
    return cut[k].words[:2] if 0 <= k < len(cut) else []
