"""Findings about a plugin, told one by one to whoever started this process."""

import os
from collections.abc import Callable, Sequence
from enum import StrEnum

import orjson
from attrs import asdict, field, frozen

from recfw.errors import RecfwError, words_of


class Section(StrEnum):
    """What is looked at, in this order."""

    IMPORT = "import"
    LOAD = "load"
    METADATA = "metadata"
    NAMES = "names"
    OPTIONS = "options"
    DOCS = "docs"
    TASKS = "tasks"
    REPLAY = "replay"
    CONTRACTS = "contracts"


OK, NOTE, UNTRIED, WRONG = "ok", "note", "untried", "wrong"


@frozen
class Finding:
    """
    One finding.

    Args:
        section: What was looked at.
        state: ``ok``, ``note`` (worth knowing; nothing is broken), ``untried`` (nothing is known of it) or ``wrong``.
        subject: The component, module or distribution that it is about.
        words: What was found, as a phrase without a full stop.
        hint: The next step, as a sentence; empty where there is none to take.
        figures: Numbers behind it.
    """

    section: Section
    state: str
    subject: str
    words: str
    hint: str = ""
    figures: dict[str, float] = field(factory=dict)


class Notes:
    """
    Where findings are told, each as a line of JSON when it is found.

    Args:
        file: A file descriptor that the caller reads.
    """

    def __init__(self, file: int) -> None:
        self._file, self._process = file, os.getpid()
        self.section = Section.IMPORT

    def begin(self, section: Section) -> None:
        """Look at another section from here on."""
        self.section = section
        self._tell({"begin": section.value})

    def ok(self, subject: str, words: str, **figures: float) -> None:
        """Tell that all is well."""
        self._tell(asdict(Finding(self.section, OK, subject, words, figures=figures)))

    def note(self, subject: str, words: str, hint: str = "") -> None:
        """Tell what is worth knowing."""
        self._tell(asdict(Finding(self.section, NOTE, subject, words, hint)))

    def untried(self, subject: str, words: str, hint: str = "") -> None:
        """Tell what could not be looked at, and why."""
        self._tell(asdict(Finding(self.section, UNTRIED, subject, words, hint)))

    def wrong(self, subject: str, words: str, hint: str = "", **figures: float) -> None:
        """Tell what wants something done."""
        self._tell(asdict(Finding(self.section, WRONG, subject, words, hint, figures)))

    def end(self) -> None:
        """Tell that everything was looked at."""
        self._tell({"done": True})

    def _tell(self, line: object) -> None:
        if os.getpid() != self._process:
            os._exit(0)  # a process that the plugin forked, and that went on as if it were this one
        os.write(self._file, orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))

    def guarded(self, subject: str, trouble: str, work: Callable[[], None]) -> None:
        """Do some looking; whatever the plugin's code raises is a finding."""
        try:
            work()
        except KeyboardInterrupt:
            raise
        except RecfwError as error:
            self.wrong(subject, f"{trouble}: {error.message}".rstrip("."), error.hint)
        except BaseException as error:  # noqa: BLE001 - foreign code, SystemExit included
            self.wrong(subject, f"{trouble}: {words_of(error)}")


def listed(words: Sequence[str], most: int = 6) -> str:
    """Return words with commas between, the first few of many."""
    shown = ", ".join(words[:most])
    return f"{shown} and {len(words) - most} more" if len(words) > most else shown
