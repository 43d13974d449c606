"""A model as judge: it rates finished trials by a rubric, several times over, and keeps how far its ratings spread."""

import hashlib
from collections.abc import Sequence
from math import fsum, sqrt
from pathlib import Path
from typing import Any, ClassVar

from attrs import asdict, define, field, frozen, validators

from recfw.errors import UsageError
from recfw.known import suggestion
from recfw.model.draws import derive_seed
from recfw.model.rubric import Rubric, transcript_of
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.usage import TOKENS, USAGE
from recfw.protocols import PATH, Track
from recfw.serialize import canonical
from recfw_litellm.client import Answered
from recfw_litellm.judging import points_in, prompt_hash, prompt_of, schema_of, shown, shuffled
from recfw_litellm.options import PlayerOptions
from recfw_litellm.outcomes import error_of
from recfw_litellm.participants import EndpointModel, LiteLLMModel, Model, metered
from recfw_litellm.replies import reply_of
from recfw_litellm.requests import MOST_SEED, params_of, taken
from recfw_litellm.rubrics import general, rubric_file
from recfw_litellm.structured import format_named, schema_words
from recfw_litellm.tools import Names
from recfw_litellm.wire import Blame, Fault, Request


@frozen
class JudgeOptions(PlayerOptions):
    """
    The options of a model that judges.

    Args:
        rubric: Which of the track's rubrics, by name, or a YAML file; empty for the track's first, or else ``general``.
        evaluations: How often each trial is rated; the mean counts, the spread is kept. Without it, as often as the
            rubric says, or else three times.
        reads: How often an answer that holds no rating is asked for again.
    """

    rubric: str = field(default="", metadata=PATH)
    evaluations: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    reads: int = field(default=2, validator=validators.ge(0))


_IDENTITY = ("model", "api_base", "temperature", "top_p", "seed", "reasoning_effort", "max_tokens", "extra", "schema",
             "evaluations", "reads")  # fmt: skip
"""The options that decide what a judge says."""

EVALUATIONS = 3
"""How often a trial is rated where neither the options nor the rubric say."""


@define
class Ratings:
    """The ratings of one trial so far: criterion -> points and reasons, what they consumed, what kept one away."""

    points: dict[str, list[int]] = field(factory=dict)
    reasons: dict[str, list[str]] = field(factory=dict)
    usage: dict[str, float] = field(factory=dict)
    unread: int = 0
    why: str = ""

    def meter(self, answered: Answered, component: str) -> None:
        """Add what an answer consumed."""
        used = metered(answered, component)
        for name in TOKENS:
            self.usage[name] = self.usage.get(name, 0) + getattr(used, name)
        self.usage["replies"] = self.usage.get("replies", 0) + 1
        self.usage["seconds"] = round(self.usage.get("seconds", 0.0) + answered.seconds, 3)
        if used.cost is not None:
            self.usage["cost"] = self.usage.get("cost", 0.0) + used.cost


class Judging(Model):
    """What the judges of all transports share."""

    Options: ClassVar[type] = JudgeOptions
    suite: ClassVar[str] = "recfw_litellm.checking:JudgeSuite"

    def __init__(self, options: JudgeOptions) -> None:
        super().__init__(options)
        self._how = options
        self._track: Any = None
        self._rubric = general()

    def brief(self, track: Track) -> None:
        """Take the rubric that the options name; UsageError where the track has no such one."""
        self._track = track
        self._rubric = self._chosen(getattr(track, "rubrics", {}), track.name)

    def _chosen(self, known: Any, track: str) -> Rubric:
        named = self._how.rubric
        if not named:
            return next(iter(known.values()), None) or general()
        if named in known:
            found: Rubric = known[named]
            return found
        if named == "general":
            return general()
        if Path(named).suffix in {".yaml", ".yml"}:
            return rubric_file(named)
        names = [*known, "general"]
        message = f"the track '{track}' has no rubric '{named}' (it has: {', '.join(names)}; or name a .yaml file)."
        raise UsageError(message, suggestion(named, names))

    @property
    def figures(self) -> Sequence[str]:
        """Names of the criteria."""
        return tuple(criterion.name for criterion in self._rubric.criteria)

    @property
    def identity(self) -> str:
        """Who judges: component and version, model, rubric, and a hash of all words and settings."""
        settings = {name: value for name, value in asdict(self._how).items() if name in _IDENTITY}
        settings["evaluations"] = self._evaluations
        told = hashlib.sha256(canonical([prompt_hash(self._rubric), settings])).hexdigest()[:12]
        return f"{self.name}@{self.version}:{self._how.model}:{self._rubric.name}:{told}"

    @property
    def _evaluations(self) -> int:
        return self._how.evaluations or self._rubric.evaluations or EVALUATIONS

    async def judge(self, task: Task, trace: Trace) -> Sequence[Score]:
        """
        Rate one finished trial, by the criteria that are asked of its task.

        Raises:
            InfrastructureError: The model cannot be asked now.
            OutageError: It cannot be asked until a person acts.
        """
        rubric = self._rubric.of(task)
        if not rubric.criteria:
            return ()
        seen = self._track.transcript(task, trace) if hasattr(self._track, "transcript") else transcript_of(trace)
        text = shown(seen)
        seed = derive_seed("judge", task.id, text)
        ratings = Ratings()
        for evaluation in range(self._evaluations):
            if not await self._rate(rubric, text, evaluation, seed, ratings):
                break
        return self._scores(rubric, ratings)

    async def _rate(self, rubric: Rubric, text: str, evaluation: int, seed: int, ratings: Ratings) -> bool:
        """Ask for one rating, again where the answer holds none; return whether it makes sense to ask on."""
        criteria = shuffled(rubric, evaluation, seed)
        missing = {criterion.name for criterion in criteria}
        for attempt in range(self._how.reads + 1):
            request = self._request(prompt_of(rubric, criteria), text, schema_of(criteria), (seed, evaluation, attempt))
            try:
                answered = await self._ask(request)
            except Fault as fault:
                if fault.blame in {Blame.OVERFLOW, Blame.AGENT}:
                    ratings.why = fault.words
                    return False
                raise error_of(fault, self.name, self._how) from fault
            ratings.meter(answered, self.name)
            reply = reply_of(answered.raw, Names(()), structured=False)
            for name, (points, reason) in points_in(reply.text, criteria).items():
                if name in missing:
                    missing.discard(name)
                    ratings.points.setdefault(name, []).append(points)
                    ratings.reasons.setdefault(name, []).append(reason)
            if not missing:
                return True
        ratings.unread += 1
        return True

    def _request(self, prompt: str, text: str, schema: dict[str, Any], sample: tuple[int, int, int]) -> Request:
        how = self._how
        params = {**taken(params_of(how, derive_seed(*sample) % MOST_SEED), self._takes), **how.extra}
        words = f"{prompt}\n\n{schema_words(schema)}" if how.schema == "words" else prompt
        form = None if how.schema == "words" else format_named("ratings", schema)
        messages = ({"role": "system", "content": words}, {"role": "user", "content": text})
        return Request(how.model, messages, (), form, params, how.api_base, ("judge", *sample))

    async def _ask(self, request: Request) -> Answered:
        if self._client is None:
            raise Fault("connection", Blame.REQUEST, "the judge is asked before it is open")
        return await self._client.ask(request)

    def _scores(self, rubric: Rubric, ratings: Ratings) -> list[Score]:
        """Return a score a criterion: the mean, None where none could be had; the first tells what all consumed."""
        scores: list[Score] = []
        for criterion in rubric.criteria:
            values = ratings.points.get(criterion.name, [])
            detail: dict[str, Any] = {"values": values, "reasons": ratings.reasons.get(criterion.name, [])}
            detail |= {"rubric": self._rubric.name, "prompt": prompt_hash(self._rubric)[:16]}
            detail |= {"scale": [criterion.low, criterion.high], "spread": _spread(values)}
            if len(values) < self._evaluations:
                detail["missing"] = ratings.why or f"{ratings.unread} answers held no rating of every criterion"
            if not scores and ratings.usage:
                detail[USAGE] = ratings.usage
            mean = fsum(values) / len(values) if values else None
            scores.append(Score(criterion.name, mean, self.identity, detail))
        return scores


def _spread(values: Sequence[int]) -> float | None:
    """Return the standard deviation of several ratings."""
    if len(values) < 2:
        return None
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


class LiteLLMJudge(Judging, LiteLLMModel):
    """Any model that litellm routes to, as judge."""

    name = "litellm"
    summary = "any language model rates finished trials by a rubric, through litellm"


class EndpointJudge(Judging, EndpointModel):
    """A model behind an OpenAI-compatible endpoint, as judge."""

    name = "endpoint"
    summary = "a language model behind an OpenAI-compatible endpoint rates finished trials by a rubric"
