"""Credentials in a run that leaves a store: refused by the place where they stand, or replaced."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import orjson
from attrs import evolve

from recfw.errors import DataError
from recfw.secrets import Secrets
from recfw.serialize import canonical, checksum, digest, pack_trace, trace_lines
from recfw.store.transfer.records import AttachmentPart, Part, RunPart, ScorePart, TaskPart, TrialPart
from recfw.store.writing import row_checksum, score_checksum

_AT_ONCE = 200
"""Events that are looked through as one text."""
_BINARY = ("image/", "audio/", "video/")


class Guard:
    """
    Looks through everything that leaves.

    Args:
        secrets: What is known as a credential.
        redact: Replace what is found, and compute the digests and checksums of what it stood in anew; otherwise the
            first one is an error.

    Attributes:
        count: How many were replaced so far.
    """

    def __init__(self, secrets: Secrets, *, redact: bool = False) -> None:
        self.count = 0
        self._secrets, self._redact = secrets, redact
        self._run = ""
        self._renamed: dict[str, str] = {}
        self._seen: set[str] = set()

    def pass_on(self, parts: Iterator[Part]) -> Iterator[Part]:
        """
        Yield a run's parts without credentials.

        Raises:
            DataError: There is one, and it is not to be replaced, or it cannot be (within a picture, say).
        """
        self.count, self._renamed, self._seen = 0, {}, set()
        for part in parts:
            match part:
                case RunPart():
                    self._run = part.id
                    yield self._pass_run(part)
                case TaskPart():
                    yield self._pass_task(part)
                case AttachmentPart():
                    yield from self._pass_attachment(part)
                case TrialPart():
                    yield self._pass_trial(part)

    def _pass_run(self, part: RunPart) -> RunPart:
        held = {"spec": part.spec, "versions": part.versions, "tags": list(part.tags), "note": part.note}
        clean = self._value(held, "record")
        changed = evolve(part, redacted=self._redact)
        if clean is held:
            return changed
        clean["tags"] = tuple(sorted({tag.replace("[", "").replace("]", "") for tag in clean["tags"]}))
        return evolve(changed, **clean, spec_digest=digest(clean["spec"]))

    def _pass_task(self, part: TaskPart) -> TaskPart:
        held = {"cell": part.cell, "id": part.id, "data": part.data}
        clean = self._value(held, f"task '{part.id}'")
        return part if clean is held else evolve(part, **clean, digest=digest(clean["data"]))

    def _pass_attachment(self, part: AttachmentPart) -> Iterator[AttachmentPart]:
        where = f"attachment {part.sha256}"
        text = part.data.decode("latin-1" if part.media_type.startswith(_BINARY) else "utf-8", "replace")
        if not self._found(text, where):
            sha, data = part.sha256, part.data
        else:
            data = self._redacted(part, text, where)
            sha = hashlib.sha256(data).hexdigest()
            self._renamed[part.sha256] = sha
        if sha not in self._seen:  # two that differed in the credential alone are one now
            self._seen.add(sha)
            yield AttachmentPart(sha, part.media_type, data)

    def _redacted(self, part: AttachmentPart, text: str, where: str) -> bytes:
        if part.media_type.startswith(_BINARY):
            raise DataError(f"run {self._run}, {where}: a credential within {part.media_type} cannot be replaced.")
        if part.media_type == "application/json":
            return orjson.dumps(self._walk(orjson.loads(part.data)))
        return self._replaced(text).encode()

    def _pass_trial(self, part: TrialPart) -> TrialPart:
        where = str(part)
        if not part.attachments and self._is_clean(part):
            return part
        facts = self._value(part.facts, where)
        scores = tuple(self._pass_score(score, where) for score in part.scores)
        renamed = [sha for sha in part.attachments if sha in self._renamed]
        changed = evolve(part, facts=facts, scores=scores)
        if facts is not part.facts:
            changed = evolve(changed, checksum=row_checksum({**facts, "run_id": self._run}).hex())
        if not renamed and not self._tainted(part, where):
            return changed
        lines = [self._line(line, f"{where}, event {n}", renamed) for n, line in enumerate(trace_lines(part.trace))]
        shas = tuple(sorted({self._renamed.get(sha, sha) for sha in part.attachments}))
        return evolve(changed, trace=pack_trace(lines), checksums=b"".join(map(checksum, lines)), attachments=shas)

    def _is_clean(self, part: TrialPart) -> bool:
        """Tell of most attempts at once that they hold no credential; of others their parts are looked at."""
        facts = canonical([part.facts, *((score.metric, score.scorer, score.detail) for score in part.scores)])
        if self._secrets.find(facts.decode()):
            return False
        lines = trace_lines(part.trace, f"run {self._run}, {part}")
        while some := list(islice(lines, _AT_ONCE)):
            text = b"\n".join(some).decode("utf-8", "replace")
            if "\\u00" in text or self._secrets.find(text):
                return False
        return True

    def _tainted(self, part: TrialPart, where: str) -> bool:
        """Tell whether any event holds a credential; all of them are looked through where none is to be replaced."""
        lines = enumerate(trace_lines(part.trace, f"run {self._run}, {where}"))
        return any(self._found(_readable(line), f"{where}, event {n}") for n, line in lines)

    def _line(self, line: bytes, where: str, renamed: list[str]) -> bytes:
        for sha in renamed:
            line = line.replace(sha.encode(), self._renamed[sha].encode())
        return orjson.dumps(self._walk(orjson.loads(line))) if self._found(_readable(line), where) else line

    def _pass_score(self, score: ScorePart, where: str) -> ScorePart:
        held = {"metric": score.metric, "scorer": score.scorer, "detail": score.detail}
        clean = self._value(held, f"{where}, {score.metric}")
        if clean is held:
            return score
        told = score_checksum(clean["metric"], clean["scorer"], score.value, clean["detail"])
        return evolve(score, **clean, checksum=told.hex())

    # --- Values -------------------------------------------------------------------------------------------------------

    def _value(self, value: Any, where: str) -> Any:
        """Return a JSON value without credentials: itself where it holds none."""
        return self._walk(value) if self._found(canonical(value).decode(), where) else value

    def _found(self, text: str, where: str) -> bool:
        found = self._secrets.find(text)
        if found and not self._redact:
            first = found[0]
            raise DataError(
                f"run {self._run}, {where} holds what looks like {first.kind}: {first.masked}.",
                "Nothing was written. Say --redact to have it replaced in what is exported.",
            )
        return bool(found)

    def _walk(self, value: Any) -> Any:
        rebuilt = _mapped(value, self._replaced)
        if self._secrets.find(canonical(rebuilt).decode()):
            raise DataError(f"run {self._run}: a credential stands across several values, and cannot be replaced.")
        return rebuilt

    def _replaced(self, text: str) -> str:
        self.count += len(self._secrets.find(text))
        return self._secrets.redact(text)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case dict():
            return {change(key): _mapped(item, change) for key, item in value.items()}
        case list() | tuple():
            return [_mapped(item, change) for item in value]
        case _:
            return value


def _readable(line: bytes) -> str:
    """Return a line as text, letters that were written by number as themselves."""
    text = line.decode("utf-8", "replace")
    return orjson.dumps(orjson.loads(line)).decode() if "\\u00" in text else text
