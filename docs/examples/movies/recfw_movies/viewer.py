"""The viewer: core's rule-based user, with other words for its fields and sentences for services and age."""

from collections.abc import Collection, Mapping
from typing import Any

from attrs import evolve

from recfw.elicitation.disclosure import Answer, Fact
from recfw.elicitation.questions import asked_about
from recfw.elicitation.users import RulesUser, Voice

WORDS = {
    "genres": ("kind", "kinds"),
    "runtime": ("long", "length", "minutes", "short"),
    "year": ("old film", "recent", "release"),
    "rating": ("rated",),
    "country": ("from where", "countries"),
    "language": ("spoken", "languages"),
    "moods": ("mood", "feel"),
    "services": ("streaming", "subscription", "subscribe"),
    "age": ("how old are you",),
}


class ViewerVoice(Voice):
    """How the viewer hears and speaks."""

    def asked(self, facts: Mapping[str, Any]) -> Collection[str]:
        """Return the fields that the agent's turn asks about."""
        return asked_about(facts["agent_text"] or "", facts["fields"], WORDS)

    def opening_text(self, answer: Answer) -> str:
        """Word an opening."""
        return _joined(super().opening_text(evolve(answer, extras=())), answer)

    def reply_text(self, answer: Answer) -> str:
        """Word a reply."""
        return _joined(super().reply_text(evolve(answer, extras=())), answer)


def _joined(words: str, answer: Answer) -> str:
    """Put the sentences of services and age after the others; where there are no others, alone."""
    alone = bool(answer.extras) and words == Voice().reply_text(Answer())
    return " ".join([*([] if alone else [words]), *map(_sentence, answer.extras)])


def _sentence(fact: Fact) -> str:
    """Word the viewer's services or age."""
    if fact.field == "age":
        return f"I'm {fact.values[0]} years old."
    return f"I have {' and '.join(fact.values)}."


class Viewer(RulesUser):
    """Answers by the disclosure rules; tells its services and its age in sentences of its own."""

    name = "movies-viewer"
    summary = "Answers by fixed disclosure rules; has streaming services, an age and a viewing history"
    tracks = ("movies",)
    voice = ViewerVoice()
