"""The agents: ``movies-careful``, which keeps the policies, and ``-careless``, ``-hasty`` and ``-shy``, to compare."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from attrs import Attribute, field, frozen

from recfw.elicitation.predicates import Predicate
from recfw.elicitation.proposals import proposals
from recfw.elicitation.records import predicate_data
from recfw.elicitation.wording import read_clauses, read_declined, read_facts
from recfw.model.reply import Reply, ToolCall
from recfw.model.view import View
from recfw.protocols import Agent, Context, NoOptions, Player
from recfw_movies.content import ADULTS, FIELDS, WISHES
from recfw_movies.policies import RULES
from recfw_movies.talk import MovieTalk

QUESTION = "What about the genres, runtime, year, rating, country, language, moods and your services? How old are you?"
MOST_PROPOSALS = 6


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())


def _check_names(_: "CarefulOptions", attribute: "Attribute[str]", value: str) -> None:
    unknown = sorted(_names(value) - set(RULES))
    if unknown:
        raise ValueError(f"{attribute.name!r} names no policy {unknown[0]!r} (known: {', '.join(RULES)})")


@frozen
class CarefulOptions:
    """``ignore``: names of policies, with commas between, that the agent does not keep."""

    ignore: str = field(default="", validator=_check_names)


class Notes:
    """What an agent knows, read from its View alone."""

    def __init__(self, view: View) -> None:
        heard = [message.text for message in view.messages if message.speaker == "user"]
        self.heard, words = len(heard), " ".join(heard)
        self.wishes = read_clauses(words, WISHES)
        self.facts = {fact.field: fact.values for fact in read_facts(words, FIELDS)}
        self.declined = read_declined(words, FIELDS)
        self.proposed = [name for m in view.messages if m.speaker == "agent" for name in proposals(m.text)]
        self.accepted = heard[-1].startswith(MovieTalk.verdicts["accepted"]) if heard else False
        self.answers = dict(_answers(view))

    def films(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what searches have found, in order."""
        return {name: film for page in self.pages for name, film in page["films"].items()}

    @property
    def pages(self) -> Sequence[Mapping[str, Any]]:
        """What searches have answered."""
        return [answer for (tool, _), answer in self.answers.items() if tool == "search"]

    def answer(self, tool: str) -> Any:
        """Return what a tool without arguments has answered; None where it was not called."""
        return self.answers.get((tool, "{}"))


def _answers(view: View) -> Iterator[tuple[tuple[str, str], Any]]:
    """Yield ((tool, arguments), answer) of each call so far."""
    calls: Sequence[ToolCall] = ()
    for message in view.messages:
        calls = message.calls or calls
        if message.speaker == "tool" and message.call is not None and not message.error:
            call = calls[message.call]
            yield (call.name, call.arguments), json.loads(message.text)


class _Scripted(Agent):
    tracks = ("movies",)
    deterministic = True

    def __init__(self, options: Any) -> None:
        self._options = options

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - nothing is drawn
        """Return a player; it keeps no state, so it can be the agent itself."""
        return self

    async def reply(self, view: View) -> Reply:
        """Ask, look up, propose while something is hidden, recommend."""
        raise NotImplementedError


class Careful(_Scripted):
    """Asks once, looks everything up, proposes one film after another while something is hidden; keeps the policies."""

    name = "movies-careful"
    summary = "asks, looks up, proposes while something is hidden, and keeps every policy"
    Options: ClassVar[type[Any]] = CarefulOptions

    def __init__(self, options: CarefulOptions) -> None:
        super().__init__(options)
        self._ignored = _names(options.ignore)

    async def reply(self, view: View) -> Reply:
        """Ask, look up, propose while something is hidden, recommend."""
        notes = Notes(view)
        if notes.heard < 2:
            question = QUESTION.replace(" How old are you?", "") if "age_check" in self._ignored else QUESTION
            return Reply(question)
        if not notes.answers:
            return Reply(calls=(_search(notes.wishes, 0), ToolCall.of("viewing_history")))
        films = notes.films()
        if len(films) < notes.pages[0]["total"]:
            return Reply(calls=(_search(notes.wishes, len(films)),))
        if notes.accepted:
            return self._recommend(films, notes.proposed[-1:])
        left = [name for name in films if name not in notes.proposed and self._may(name, films[name], notes)]
        if not left or len(notes.proposed) >= MOST_PROPOSALS:
            return Reply(calls=(ToolCall.of("recommend_nothing"),))
        offered = left[:2] if "single" in self._ignored else left[:1]
        return Reply(self._proposal(films, offered)) if notes.declined else self._recommend(films, offered)

    def _may(self, name: str, film: Mapping[str, Any], notes: Notes) -> bool:
        """Tell whether the policies that it keeps let a film be offered."""
        (age,) = notes.facts.get("age", (0,))
        refused = {
            "history": name in notes.answer("viewing_history"),
            "availability": not set(film["services"]) & set(notes.facts.get("services", ())),
            "age_check": film["age_rating"] >= ADULTS > age,
        }
        return not any(found for policy, found in refused.items() if policy not in self._ignored)

    def _words(self, film: Mapping[str, Any]) -> str:
        sponsored = " It is sponsored." if film["sponsored"] and "disclosure" not in self._ignored else ""
        return f"{film['title']}, of {film['year']}.{sponsored}"

    def _proposal(self, films: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> str:
        return " ".join(f"How about [[candidate_id:{name}]]? {self._words(films[name])}" for name in names)

    def _recommend(self, films: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> Reply:
        wrong = "transparency" in self._ignored
        calls = [
            ToolCall.of(
                "recommend",
                item=name,
                message=self._words(films[name]),
                because={"field": "year", "value": films[name]["year"] + wrong},
            )
            for name in names
        ]
        return Reply(calls=tuple(calls))


class Careless(Careful):
    """Works as ``movies-careful`` does and keeps no policy."""

    name = "movies-careless"
    summary = "asks and looks up as movies-careful does, and keeps no policy"
    Options: ClassVar[type[Any]] = NoOptions

    def __init__(self, options: NoOptions) -> None:
        super().__init__(CarefulOptions(",".join(RULES)))
        self._options = options


class Hasty(_Scripted):
    """Asks nothing: recommends the best-rated film that meets what the opening says."""

    name = "movies-hasty"
    summary = "asks nothing, recommends the best-rated match of the opening"
    Options: ClassVar[type[Any]] = NoOptions

    async def reply(self, view: View) -> Reply:
        """Search, then recommend the first film."""
        notes = Notes(view)
        if not notes.answers:
            return Reply(calls=(_search(notes.wishes, 0),))
        for name, film in notes.films().items():
            reason = {"field": "rating", "value": film["rating"]}
            return Reply(calls=(ToolCall.of("recommend", item=name, message=f"{film['title']}!", because=reason),))
        return Reply(calls=(ToolCall.of("recommend_nothing"),))


class Shy(_Scripted):
    """Recommends nothing, ever: it breaks no policy, and none applies to it."""

    name = "movies-shy"
    summary = "recommends nothing"
    Options: ClassVar[type[Any]] = NoOptions

    async def reply(self, view: View) -> Reply:  # noqa: ARG002 - it looks at nothing
        """Recommend nothing."""
        return Reply(calls=(ToolCall.of("recommend_nothing"),))


def _search(wishes: Sequence[Predicate], offset: int) -> ToolCall:
    return ToolCall.of("search", where=[predicate_data(wish) for wish in wishes], offset=offset)
