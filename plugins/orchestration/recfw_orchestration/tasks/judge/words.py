"""Whether a request still tells what gold does, and does not tell its answer."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recfw_orchestration.tasks.lexicon import lexicon
from recfw_orchestration.tasks.records import Allowed, Phrase, Workflow

_WORD = re.compile(r"\w+")


def unnamed(text: str, target_name: str, ids: Iterable[str]) -> bool:
    """Tell whether a request names neither the target nor any candidate's id."""
    low = text.casefold()
    if target_name and target_name.casefold() in low:
        return False
    return not {word.casefold() for word in ids} & set(_pieces(low))


def _pieces(text: str) -> list[str]:
    return [piece.strip(".,;:!?()\"'") for piece in text.split()]


def consistent(phrases: Sequence[Phrase], instruction: str) -> bool:
    """Tell whether each fuzzy phrase stands in the request and its words mean gold's values."""
    return all(
        phrase.text in instruction
        and phrase.words.keys() == phrase.values.keys()
        and all(
            word in phrase.text and lexicon()[slot].words.get(word) == phrase.values[slot]
            for slot, word in phrase.words.items()
        )
        for phrase in phrases
    )


def solvable(flow: Workflow, instruction: str, public: Mapping[str, Any], phrases: Sequence[Phrase]) -> list[str]:
    """Return the arguments that neither request nor context nor an earlier result gives (``c2.min_rating``)."""
    given = {str(value) for value in _scalars(public)}
    meant = {str(value) for phrase in phrases for value in phrase.values.values()}
    tokens = set(_WORD.findall(instruction.casefold()))
    missing = []
    for call in flow.calls:
        for name, one in call.arguments.items():
            if one.optional or one.origin is not None or name == "item_ids":
                continue
            if not _told(one, given, meant, instruction, tokens) and not _worded(name, one, instruction):
                missing.append(f"{call.id}.{name}")
    return missing


def _told(one: Allowed, given: set[str], meant: set[str], instruction: str, tokens: set[str]) -> bool:
    for value in one.values:
        text = str(value)
        if text in given or text in meant:
            return True
        if one.kind == "text" or isinstance(value, str):
            if text.casefold() in instruction.casefold() or set(_WORD.findall(text.casefold())) <= tokens:
                return True
        elif re.search(rf"(?<![\d.]){re.escape(text)}(?![\d]|\.\d)", instruction):
            return True
    return False


def _worded(name: str, one: Allowed, instruction: str) -> bool:
    """Tell whether one of the lexicon's words for a choice stands in the request."""
    slot = lexicon().get(name)
    return slot is not None and any(word in instruction for value in one.values for word in slot.words_for(value))


def _scalars(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _scalars(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _scalars(inner)
    elif value is not None:
        yield value
