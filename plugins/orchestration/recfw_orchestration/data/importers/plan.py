"""Which files an import reads: those of each folder that hold what its option asks for, and notes on all others."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from recfw.errors import DataError, UsageError
from recfw_orchestration.data.importers.kinds import FAMILIES, Kind, kind_of

_ENDINGS = (".json", ".jsonl", ".txt", ".tsv", ".ndjson")
_FIRST = {"item": 0, "user": 1, "review": 2, "tip": 3, "checkin": 4}


@frozen
class Planned:
    """A file to read."""

    path: Path
    kind: Kind


@frozen
class Plan:
    """Files in the order in which they are read, and sentences on files that are left out."""

    files: tuple[Planned, ...]
    notes: tuple[str, ...]


def plan(given: Mapping[str, Sequence[Path]]) -> Plan:
    """
    Return what to read of the paths (files or folders) given for each family.

    Raises:
        UsageError: Nothing is given, or a path does not exist.
        DataError: A path holds no file of its family, or a file that is named is of another one.
    """
    if not any(given.values()):
        raise UsageError("nothing to import.", f"Give {', '.join(f.option for f in FAMILIES.values())} or several.")
    files: list[Planned] = []
    notes: list[str] = []
    for family, paths in given.items():
        for path in paths:
            files += _of_path(family, path, notes)
    files.sort(key=lambda one: (list(FAMILIES).index(one.kind.family), _FIRST[one.kind.rows], one.path.name))
    _whole(files)
    return Plan(tuple(files), tuple(notes))


def _of_path(family: str, path: Path, notes: list[str]) -> list[Planned]:
    wanted = FAMILIES[family]
    if not path.exists():
        raise UsageError(f"{wanted.option} {path}: no such file or folder.", "Give the folder that holds the download.")
    found, foreign = [], []
    for file in _candidates(path, notes):
        kind = kind_of(file)
        if kind is not None and kind.family == family:
            found.append(Planned(file.resolve(), kind))
        else:
            foreign.append((file, kind))
    if not found:
        raise _nothing(family, path, foreign)
    for file, kind in foreign:
        notes.append(f"{file.name}: left out, it holds {kind.about if kind else 'nothing that is known'}")
    return found


def _candidates(path: Path, notes: list[str]) -> Iterator[Path]:
    """Yield the files of a folder, of two copies (plain and .gz) the plain one; or the file itself."""
    if path.is_file():
        yield path
        return
    files = sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))
    plain = {file for file in files if file.suffix in _ENDINGS}
    for file in files:
        bare = file.with_suffix("") if file.suffix == ".gz" else file
        if file.suffix == ".gz" and bare in plain:
            notes.append(f"{file.name}: left out, {bare.name} stands beside it")
        elif bare.suffix in _ENDINGS:
            yield file


def _nothing(family: str, path: Path, foreign: Sequence[tuple[Path, Kind | None]]) -> DataError:
    wanted = FAMILIES[family]
    other = next(((file, kind) for file, kind in foreign if kind is not None), None)
    if other is not None:
        right = FAMILIES[other[1].family].option
        return DataError(f"{other[0]}: holds {other[1].about}, not {wanted.about}.", f"Give it with {right}.")
    if path.is_file() and not path.stat().st_size:
        return DataError(f"{path}: is empty.", "Fetch the file again.")
    if path.is_file():
        as_offered = "Give the file as its publisher offers it, one record a line."
        return DataError(f"{path}: not a file of {wanted.about}.", as_offered)
    looked = f"it has no file that ends with {', '.join(_ENDINGS)} (or .gz after it)"
    if foreign:
        looked = f"none of its files is known ({', '.join(file.name for file, _ in foreign[:5])})"
    return DataError(f"{path}: no file of {wanted.about}; {looked}.", "Unpack archives first and give their folder.")


def _whole(files: Sequence[Planned]) -> None:
    """Refuse to go on where reviews have no items to be about."""
    for family in ("amazon", "yelp"):
        of = [one for one in files if one.kind.family == family]
        if of and not any(one.kind.rows == "item" for one in of):
            what = "metadata file (meta_….json.gz)" if family == "amazon" else "business file"
            raise DataError(
                f"{of[0].path}: no {what} beside it; reviews of items without a record could not be kept.",
                "Put both into one folder, or give the option twice.",
            )
