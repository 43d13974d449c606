"""
Credentials in text: what looks like one, where it is, and the text without it.

Known are the values of environment variables whose names say that they hold a credential, and the formats of keys that
providers hand out. A format is only known where it is distinctive: what is missed here is still caught where its value
stands in the environment.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import field, frozen

SHORTEST = 8
"""Characters from which on a variable's value is taken for a credential: shorter ones stand in any text by chance."""

MARK = "[redacted]"
"""What stands in the place of a credential."""

_NAMES = re.compile(
    r"(^|_)(API_?KEYS?|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$"
)
_NOT_SECRET = re.compile(r"^(true|false|none|null|yes|no|disabled|enabled|\d+)$|^(/|\./|~/)\S*$", re.IGNORECASE)


@frozen
class _Format:
    """A known format: what it is called, words without which no text holds one (looked for first), and its pattern."""

    kind: str
    marks: tuple[str, ...]
    pattern: re.Pattern[str]


_FORMATS = tuple(
    _Format(kind, marks, re.compile(pattern))
    for kind, marks, pattern in (
        ("an API key (sk-…)", ("sk-",), r"\bsk-[A-Za-z0-9_-]{20,}"),
        ("a Google API key", ("AIza",), r"\bAIza[A-Za-z0-9_-]{35}"),
        (
            "a GitHub token",
            ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
            r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
        ),
        ("a GitLab token", ("glpat-",), r"\bglpat-[A-Za-z0-9_-]{20,}"),
        ("a Hugging Face token", ("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),
        ("a Groq API key", ("gsk_",), r"\bgsk_[A-Za-z0-9]{20,}"),
        ("an xAI API key", ("xai-",), r"\bxai-[A-Za-z0-9]{20,}"),
        ("a Slack token", ("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("an AWS access key id", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
        ("a bearer token", ("earer ",), r"(?<=\b[Bb]earer )[A-Za-z0-9._~+/-]{20,}={0,2}"),
        ("a JSON web token", ("eyJ",), r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
        (
            "a private key",
            ("PRIVATE KEY-----",),
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-\"]*(?:-----END [A-Z ]*PRIVATE KEY-----)?",
        ),
    )
)


@frozen
class Found:
    """
    One credential in a text.

    Args:
        kind: What it is: "the value of NAME", or a known format.
        start, end: Where it stands.
        value: The credential itself; never to be shown.
    """

    kind: str
    start: int
    end: int
    value: str = field(repr=False)

    @property
    def masked(self) -> str:
        """The credential as it may be shown: its first four characters and its length."""
        return f"{self.value[:4]}… ({len(self.value)} characters)"


class Secrets:
    """
    The credentials that this process knows of.

    Args:
        environ: Environment variables; those whose names end like a credential's (``…_API_KEY``, ``…_TOKEN``,
            ``…_SECRET``, ``…_PASSWORD`` and the like) and whose values have eight characters or more.
        more: Further values (a key from a file, say), with what to call them.
    """

    def __init__(self, environ: Mapping[str, str], more: Mapping[str, str] | None = None) -> None:
        named = {
            f"the value of {name}": value.strip()
            for name, value in sorted(environ.items())
            if _NAMES.search(name.upper()) and not _NOT_SECRET.match(value.strip())
        } | dict(more or {})
        spellings: dict[str, str] = {}
        for kind, value in named.items():
            for spelling in _spellings(value):
                if len(spelling) >= SHORTEST:
                    spellings.setdefault(spelling, kind)
        self._kinds = spellings

    def find(self, text: str) -> tuple[Found, ...]:
        """Return the credentials in a text, in order; they do not overlap."""
        found: list[Found] = []
        for one in sorted(self._candidates(text), key=lambda f: (f.start, -f.end)):
            if not found or one.start >= found[-1].end:
                found.append(one)
            elif one.end > found[-1].end:
                last = found[-1]
                found[-1] = Found(last.kind, last.start, one.end, text[last.start : one.end])
        return tuple(found)

    def redact(self, text: str) -> str:
        """Return a text with ``[redacted]`` in the place of each credential."""
        parts, at = [], 0
        for one in self.find(text):
            parts += [text[at : one.start], MARK]
            at = one.end
        return "".join([*parts, text[at:]]) if parts else text

    def _candidates(self, text: str) -> Iterator[Found]:
        for value, kind in self._kinds.items():
            at = text.find(value)
            while at >= 0:
                yield Found(kind, at, at + len(value), value)
                at = text.find(value, at + len(value))
        for known in _FORMATS:
            if any(mark in text for mark in known.marks):
                for match in known.pattern.finditer(text):
                    yield Found(known.kind, match.start(), match.end(), match.group())


def _spellings(value: str) -> Iterable[str]:
    """Return how a value may stand in text: as it is, and as it stands within a JSON string."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return {value, escaped, escaped.replace("/", "\\/")}


def find(text: str, environ: Mapping[str, str] | None = None) -> tuple[Found, ...]:
    """Return the credentials in a text, in order; those of this process's environment unless another is given."""
    return Secrets(os.environ if environ is None else environ).find(text)


def redact(text: str, environ: Mapping[str, str] | None = None) -> str:
    """Return a text with ``[redacted]`` in the place of each credential (:func:`find`)."""
    return Secrets(os.environ if environ is None else environ).redact(text)
