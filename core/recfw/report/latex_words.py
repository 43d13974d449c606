"""Words as LaTeX shows them as they stand, in any place of a text, table or plot."""

import re
import unicodedata

from recfw.report.words import one_line

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\symbol{34}",
    "[": "{[}",  # after a row's end, brackets and stars would be taken for its arguments
    "]": "{]}",
    "*": "{*}",
}
_SIGNS = {
    "–": "--", "—": "---", "−": "$-$", "‘": r"\textquoteleft{}", "’": r"\textquoteright{}",  # noqa: RUF001 - signs
    "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}", "„": r"\quotedblbase{}", "…": r"\ldots{}",
    "•": r"\textbullet{}", "·": r"$\cdot$", "×": r"$\times$", "÷": r"$\div$", "±": r"$\pm$", "≤": r"$\leq$",  # noqa: RUF001
    "≥": r"$\geq$", "≠": r"$\neq$", "≈": r"$\approx$", "∞": r"$\infty$", "√": r"$\surd$", "∑": r"$\sum$",
    "→": r"$\rightarrow$", "←": r"$\leftarrow$", "↑": r"$\uparrow$", "↓": r"$\downarrow$",
    "↳": r"$\hookrightarrow$", "€": r"\texteuro{}", "°": r"\textdegree{}", "µ": r"$\mu$", "Ω": r"$\Omega$",
    "²": "$^2$", "³": "$^3$", "¹": "$^1$", "½": r"$\frac12$", "¼": r"$\frac14$", "¾": r"$\frac34$",
    "¬": r"$\lnot$", "\u200c": "{}", "\u200d": "{}",
}  # fmt: skip
_LETTERS = ("LATIN SMALL LETTER ", "LATIN CAPITAL LETTER ", "LATIN SMALL LIGATURE ", "LATIN CAPITAL LIGATURE ")
_LACKING = frozenset("ĦħĸĿŀŉŦŧſ")
"""Letters of the first two Latin blocks beyond ASCII that T1 fonts lack."""

_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (\w+)")
_CAPITALS = {"GAMMA", "DELTA", "THETA", "XI", "PI", "SIGMA", "UPSILON", "PHI", "PSI", "OMEGA"}
_SMALL = _CAPITALS | {"ALPHA", "BETA", "EPSILON", "ZETA", "ETA", "IOTA", "KAPPA", "MU", "NU", "RHO", "TAU", "CHI"}
_LONG, _PIECE = 30, 10
"""Letters beyond which a word may be broken, and after how many of them each."""

_NUMBERED = re.compile(r"(\\texttt\{U\+[0-9A-F]+\})(?=\\texttt)")
_LIGATURE = re.compile(r"([-',])(?=\1)")


def escaped(text: str, *, every: bool = False) -> str:
    r"""
    Return text on one line that LaTeX shows as it stands.

    Args:
        text: Any words.
        every: Leave the characters of all scripts as they are, for an engine that reads Unicode. Otherwise those that
            pdfLaTeX's own fonts lack are written by number, as ``U+65E5``.
    """
    shown = "".join(_SPECIAL.get(char) or (char if every or char.isascii() else _sign(char)) for char in one_line(text))
    return _LIGATURE.sub(r"\1{}", shown)


def breakable(text: str, *, every: bool = False) -> str:
    r"""Return text as :func:`escaped` does, very long words such as ids with places at which a line may be broken."""
    words = (
        r"\allowbreak{}".join(escaped(word[at : at + _PIECE], every=every) for at in range(0, len(word), _PIECE))
        if len(word) > _LONG
        else escaped(word, every=every)
        for word in one_line(text).split(" ")
    )
    return _NUMBERED.sub(r"\1\\allowbreak{}", " ".join(words))


def _sign(char: str) -> str:
    if char in _SIGNS:
        return _SIGNS[char]
    name = unicodedata.name(char, "")
    if ord(char) < 0x180 and name.startswith(_LETTERS) and char not in _LACKING:
        return char
    greek = _GREEK.fullmatch(name)
    if greek and greek[2] in (_SMALL if greek[1] == "SMALL" else _CAPITALS):
        return f"$\\{greek[2].lower() if greek[1] == 'SMALL' else greek[2].capitalize()}$"
    return rf"\texttt{{U+{ord(char):04X}}}"
