"""
The one converter between records and JSON: strict both ways, canonical when it must be hashed, and the packed trace.

cattrs coerces silently ("3" -> 3, "no" -> True) and ignores extra keys; the hooks here refuse both. A packed trace is
zlib-compressed JSON lines, one event a line, so that it can be read page by page.
"""

import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from enum import Enum
from typing import Any, Literal, TypeVar, get_args, get_origin

import orjson
from attrs import evolve
from cattrs import ClassValidationError, Converter, ForbiddenExtraKeysError, IterableValidationError, transform_error
from cattrs.cols import homogenous_tuple_structure_factory, list_structure_factory, mapping_structure_factory
from cattrs.preconf.orjson import OrjsonConverter, make_converter
from cattrs.v import format_exception

from recfw.errors import DataError, RecfwError
from recfw.model.trace import EVENTS, Event, PictureEvent, ToolEvent, Trace
from recfw.model.view import Part, PicturePart, TextPart

T = TypeVar("T")

TRACE_SCHEMA = 1

CHECKSUM = 8
"""Bytes of a SHA-256 that are kept as a checksum: against alterations, not against whoever forges both."""

LARGE = 1 << 16
"""Bytes of an event's line beyond which a tool's content and notes are kept apart."""

APART = "$attachment"
"""The key by which an event refers to what was kept apart."""

_CHUNK, _PIECE = 1 << 16, 1 << 20
"""Bytes of a packed trace that are unpacked at once, and most that they may come to."""

DEEPEST = 100
"""Levels of nesting that are kept of an event that JSON cannot hold whole: writers give up at 254."""


def _exactly(wanted: type, *also: type) -> Callable[[Any, Any], Any]:
    def check(value: Any, kind: Any) -> Any:
        if isinstance(kind, type) and issubclass(kind, Enum):  # a StrEnum is found under str
            return kind(value)
        if type(value) is wanted or type(value) in also:
            return value
        raise TypeError(f"{wanted.__name__} expected, not {value!r}")

    return check


def _float(value: Any, _: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"number expected, not {value!r}")
    return float(value)


def _structure_event(value: Any, _: Any) -> Event:
    if not isinstance(value, dict) or value.get("kind") not in EVENTS:
        raise TypeError(f"no event kind in {str(value)[:80]!r}")
    rest = {name: item for name, item in value.items() if name != "kind"}
    return CONVERTER.structure(rest, EVENTS[value["kind"]])


def _structure_part(value: Any, _: Any) -> Part:
    wanted: type[Part] = PicturePart if isinstance(value, dict) and "handle" in value else TextPart
    return CONVERTER.structure(value, wanted)


def _make() -> OrjsonConverter:
    converter = make_converter(forbid_extra_keys=True, detailed_validation=True)
    converter.register_structure_hook(int, _exactly(int))
    converter.register_structure_hook(str, _exactly(str))
    converter.register_structure_hook(bool, _exactly(bool))
    converter.register_structure_hook(float, _float)
    converter.register_structure_hook_factory(_is_list, _list_hook)
    converter.register_structure_hook_factory(_is_dict, _dict_hook)
    converter.register_structure_hook_func(lambda kind: kind is Any, lambda value, _: value)
    converter.register_unstructure_hook_func(lambda kind: kind is Any, lambda value: value)
    converter.register_structure_hook_func(_is_plain, _plain_dict)
    converter.register_unstructure_hook_func(_is_plain, lambda value: value)
    converter.register_structure_hook_func(lambda kind: kind == Event, _structure_event)
    converter.register_structure_hook_func(lambda kind: kind == Part, _structure_part)
    return converter


def _is_dict(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is dict


def _is_list(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is list or (origin is tuple and get_args(kind)[1:] == (...,))


def _list_hook(kind: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    factory: Any = list_structure_factory if get_origin(kind) is list else homogenous_tuple_structure_factory
    structure = factory(kind, converter)

    def hook(value: Any, kind: Any) -> Any:
        if not isinstance(value, list | tuple):  # a string would be taken letter by letter
            raise TypeError(f"list expected, not {str(value)[:80]!r}")
        return structure(value, kind)

    return hook


def _dict_hook(kind: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    structure: Any = mapping_structure_factory(kind, converter)

    def hook(value: Any, kind: Any) -> Any:
        if not isinstance(value, dict):
            raise TypeError(f"object expected, not {str(value)[:80]!r}")
        return structure(value, kind)

    return hook


def _is_plain(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is dict and get_args(kind) == (str, Any)


def _plain_dict(value: Any, _: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise TypeError(f"object expected, not {str(value)[:80]!r}")
    return value


CONVERTER = _make()


def to_data(record: Any) -> Any:
    """Return a record as JSON values."""
    return CONVERTER.unstructure(record)


def from_data(data: Any, kind: type[T], where: str = "") -> T:
    """
    Return a record from JSON values.

    Raises:
        DataError: A field is missing, unknown or of the wrong type; the message names ``where`` and the field's path.
    """
    try:
        return CONVERTER.structure(data, kind)
    except DataError:
        raise
    except Exception as error:
        raise DataError(f"{where or kind.__name__}: {explain(error)}") from error


def explain(error: Exception) -> str:
    """Return what a structuring error says, as one line: the first fault and the path to it."""
    if isinstance(error, ClassValidationError | IterableValidationError | ForbiddenExtraKeysError):
        words = transform_error(error, format_exception=_told)
        return words[0].replace("invalid value for type, expected", "wrong type, expected") if words else str(error)
    return str(error)


def _told(error: BaseException, kind: type | None) -> str:
    """Return a fault in words; those of a validator or an enumeration say more than "invalid value"."""
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(repr, get_args(kind)))} is expected"
    if isinstance(error, RecfwError):
        return error.message
    return str(error.args[0]) if type(error) is ValueError and error.args else format_exception(error, kind)


def dumps(record: Any) -> bytes:
    """Return a record as compact JSON."""
    return orjson.dumps(CONVERTER.unstructure(record))


def canonical(value: Any) -> bytes:
    """Return JSON with sorted keys: equal records, equal bytes."""
    return orjson.dumps(CONVERTER.unstructure(value), option=orjson.OPT_SORT_KEYS)


def loads(data: bytes | str, kind: type[T], where: str = "") -> T:
    """Return a record from JSON text; DataError where it is no JSON or not such a record."""
    return from_data(parse(data, where), kind, where)


def parse(data: bytes | str, where: str = "") -> Any:
    """Return JSON values from text; DataError that names ``where`` when it is no JSON."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise DataError(f"{where or 'data'}: no valid JSON ({error}).") from error


def digest(value: Any) -> str:
    """Return the SHA-256 (hex) of a record's canonical JSON."""
    return hashlib.sha256(canonical(value)).hexdigest()


def checksum(data: bytes) -> bytes:
    """Return the first 8 bytes of the SHA-256 of what is stored."""
    return hashlib.sha256(data).digest()[:CHECKSUM]


# --- Traces -----------------------------------------------------------------------------------------------------------


def clean(text: str) -> str:
    """Return text without lone surrogates, which no JSON or database can hold."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def event_line(event: Event) -> bytes:
    """Return one event as a line of JSON, without the line's end."""
    data = {"kind": event.kind, **CONVERTER.unstructure(event)}
    try:
        return orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS)
    except (TypeError, ValueError):
        return orjson.dumps(_scrub(data), option=orjson.OPT_NON_STR_KEYS)


def recorded_line(event: Event, attach: Callable[[bytes, str], str]) -> bytes:
    """
    Return one event as a line, a tool's large content or notes kept apart as attachments.

    Args:
        event: The event.
        attach: Keeps a payload of a media type; returns its SHA-256 (hex).
    """
    line = event_line(event)
    if len(line) <= LARGE or not isinstance(event, ToolEvent):
        return line
    return event_line(evolve(event, content=_kept_apart(event.content, attach), notes=_kept_apart(event.notes, attach)))


def _kept_apart(value: Any, attach: Callable[[bytes, str], str]) -> Any:
    data = orjson.dumps(plain(value))
    return value if len(data) <= LARGE // 4 else {APART: attach(data, "application/json")}


def payloads(event: Event) -> tuple[str, ...]:
    """Return the SHA-256 of what an event refers to: a picture, or payloads that were kept apart."""
    if isinstance(event, PictureEvent):
        return (event.sha256,)
    held = (event.content, event.notes) if isinstance(event, ToolEvent) else ()
    return tuple(value[APART] for value in held if isinstance(value, dict) and value.keys() == {APART})


def whole_event(event: Event, fetch: Callable[[str], bytes]) -> Event:
    """Return an event with what was kept apart put back."""
    if not isinstance(event, ToolEvent) or not payloads(event):
        return event
    content, notes = (
        orjson.loads(fetch(value[APART])) if isinstance(value, dict) and value.keys() == {APART} else value
        for value in (event.content, event.notes)
    )
    return evolve(event, content=content, notes=notes)


def plain(value: Any) -> Any:
    """Return what an event holds of any value: JSON values, odd ones as text, so that a trace gives back the same."""
    try:
        return orjson.loads(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))
    except (TypeError, ValueError):
        return orjson.loads(orjson.dumps(_scrub(value)))


def _scrub(value: Any, depth: int = 0) -> Any:
    match value:
        case dict() | list() | tuple() if depth > DEEPEST:
            return "… (nested too deeply to be kept)"
        case str():
            return clean(value)
        case dict():
            return {clean(str(key)): _scrub(item, depth + 1) for key, item in value.items()}
        case list() | tuple():
            return [_scrub(item, depth + 1) for item in value]
        case None | bool() | int() | float():
            return str(value) if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64 else value
        case _:
            return _shown(value)


def _shown(value: Any) -> str | list[str]:
    """Return an odd value as text that is the same in every process: without addresses, sets in order."""
    if isinstance(value, set | frozenset):
        return sorted(str(_shown(item)) for item in value)
    return re.sub(r" at 0x[0-9a-f]+", "", clean(repr(value)))


def read_event(line: bytes, where: str = "event") -> Event:
    """Return the event of one line; DataError that names ``where`` when it is none."""
    try:
        return _structure_event(parse(line, where), None)
    except DataError:
        raise
    except Exception as error:
        raise DataError(f"{where}: {explain(error)}") from error


def pack_trace(lines: Iterable[bytes]) -> bytes:
    """Return event lines as a packed trace; they are not in memory together."""
    packer, packed = zlib.compressobj(1), bytearray()
    for number, line in enumerate(lines):
        packed += packer.compress(b"\n" + line if number else line)
    packed += packer.flush()
    return bytes(packed)


def trace_lines(packed: bytes, where: str = "trace") -> Iterator[bytes]:
    """Yield a packed trace's event lines; DataError where the blob is damaged."""
    reader, rest = zlib.decompressobj(), b""
    try:
        for piece in _unpacked(reader, packed):
            *whole, rest = (rest + piece).split(b"\n")
            yield from whole
    except zlib.error as error:
        raise DataError(f"{where}: the stored trace is damaged ({error}).") from error
    if not reader.eof:
        raise DataError(f"{where}: the stored trace is cut off.")
    yield from rest.split(b"\n") if rest else ()


def _unpacked(reader: "zlib._Decompress", packed: bytes) -> Iterator[bytes]:
    """Yield what a stream unpacks to, a piece of at most a megabyte at a time."""
    for start in range(0, len(packed), _CHUNK):
        waiting = packed[start : start + _CHUNK]
        while waiting and not reader.eof:
            yield reader.decompress(waiting, _PIECE)
            waiting = reader.unconsumed_tail
    yield reader.flush()


def unpack_trace(packed: bytes, where: str = "trace", fetch: Callable[[str], bytes] | None = None) -> Trace:
    """
    Return a packed trace's events; DataError that names ``where`` when it is damaged.

    ``fetch`` gives an attachment's bytes by SHA-256; without it, payloads that were kept apart stay references.
    """
    events = (read_event(line, f"{where}, event {n}") for n, line in enumerate(trace_lines(packed, where)))
    return Trace(tuple(whole_event(event, fetch) if fetch else event for event in events))


def line_checksums(packed: bytes) -> bytes:
    """Return the checksums of a packed trace's lines, one after the other; none of what cannot be unpacked."""
    try:
        return b"".join(map(checksum, trace_lines(packed)))
    except DataError:
        return b""  # it is stored as it came, and whoever reads it is told


def altered_line(packed: bytes, checksums: bytes) -> int | None:
    """
    Return which line of a packed trace (from 0) is the first not to be as it was recorded; None where all are.

    A line that was only written anew (a number or a letter in another notation) is as it was. One too many, or the
    first that is missing, is not; of a trace that cannot be unpacked nothing is told.
    """
    wanted = [checksums[at : at + CHECKSUM] for at in range(0, len(checksums), CHECKSUM)]
    try:
        for number, line in enumerate(trace_lines(packed)):
            if number >= len(wanted) or wanted[number] not in _checksums(line):
                return number
            wanted[number] = b""
    except DataError:
        return None
    return next((number for number, left in enumerate(wanted) if left), None)


def _checksums(line: bytes) -> Iterator[bytes]:
    """Yield a line's checksum, and that of the line that recfw would write of the same event."""
    yield checksum(line)
    with suppress(DataError):
        yield checksum(event_line(read_event(line)))
