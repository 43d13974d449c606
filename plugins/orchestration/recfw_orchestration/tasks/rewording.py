"""Requests worded by a language model: any component of the registry that can fill a role."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
from attrs import evolve

from recfw.errors import InfrastructureError, OutageError
from recfw.model.draws import derive_seed
from recfw.model.view import SYSTEM, Message, View
from recfw.protocols import Context, ContextOverflow, Participant
from recfw_orchestration.tasks.fuzzify.fuzzing import Request
from recfw_orchestration.tasks.generate import Rewrite
from recfw_orchestration.tasks.records import Phrase

ROLE = "writer"
PROMPT = """\
You write requests that people make to a recommender. You are given a plain request and a vague version of it. Write a
vague version of your own, in the first person, that reads as if somebody had typed it.

Keep every number, name, category and quoted word that the vague version holds; the recommender must still be able to
find out the same thing. Do not name any item. Make it vague in the listed ways, and no others:
- underspecification: something is left out that the context tells (who, where, when, what kind of thing);
- soft_contradiction: a wish that is half taken back, or stands beside one that pulls the other way;
- vague_quantifier: "quite a few" or "not far" in place of a number;
- preference_uncertainty: doubt about the wish;
- implicit_constraint: a circumstance is told in place of the condition that follows from it.

Answer with a JSON object: "instruction", the whole request, and "phrases", for each listed way one object with "type"
and "text", the part of your instruction, word for word, that is vague in this way. Words given under "keep" must stand
in that text exactly."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "instruction": {"type": "string"},
        "phrases": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"type": {"type": "string"}, "text": {"type": "string"}},
                "required": ["type", "text"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["instruction", "phrases"],
    "additionalProperties": False,
}
_VALUE = re.compile(r"\d+(?:\.\d+)?")


@asynccontextmanager
async def rewording(model: Participant | None, seed: int) -> AsyncIterator[Rewrite | None]:
    """
    Open a model and give what words requests by it; None where there is no model.

    Raises:
        InfrastructureError: The model cannot be asked.
    """
    if model is None:
        yield None
        return
    async with model.open():

        async def rewrite(request: Request, task: str) -> Request | None:
            player = model.episode(Context(ROLE, task, derive_seed(seed, "words", task)))
            try:
                reply = await player.reply(view_of(request))
            except OutageError:
                raise
            except (ContextOverflow, InfrastructureError):
                return None
            return taken(request, reply.data if reply.data is not None else _parsed(reply.text))

        yield rewrite


def view_of(request: Request) -> View:
    """Return what a model is shown of a request."""
    ways = [{"type": phrase.type, "keep": list(phrase.words.values())} for phrase in request.phrases]
    given = {"plain": request.plain, "vague": request.instruction, "ways": ways}
    told = orjson.dumps(given, option=orjson.OPT_INDENT_2).decode()
    return View(ROLE, (Message.say(SYSTEM, PROMPT), Message.say("generator", told)), (), SCHEMA)


def _parsed(text: str) -> Any:
    """Return the JSON object in a reply; None where there is none."""
    start, end = text.find("{"), text.rfind("}")
    try:
        return orjson.loads(text[start : end + 1]) if 0 <= start < end else None
    except orjson.JSONDecodeError:
        return None


def taken(request: Request, data: Any) -> Request | None:
    """Return the request in a model's words; None where they are not of the form asked, or a way is missing."""
    given = data.get("instruction") if isinstance(data, dict) else None
    listed = data.get("phrases") if isinstance(data, dict) else None
    if not isinstance(given, str) or not given.strip() or not isinstance(listed, list):
        return None
    texts = {each.get("type"): each.get("text") for each in listed if isinstance(each, dict)}
    phrases: list[Phrase] = []
    for phrase in request.phrases:
        text = texts.get(phrase.type)
        if not isinstance(text, str) or not text.strip():
            return None
        phrases.append(evolve(phrase, text=text, pattern=pattern_of(phrase, text)))
    return Request(" ".join(given.split()), request.plain, tuple(phrases))


def pattern_of(phrase: Phrase, text: str) -> str:
    """Return a model's wording with numbers and the lexicon's words masked."""
    for slot, word in phrase.words.items():
        text = text.replace(word, f"<{slot}>")
    return _VALUE.sub("<n>", text)
