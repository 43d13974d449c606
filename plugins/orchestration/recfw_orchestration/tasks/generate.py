"""
The pipeline: synthesize, fuzzify, judge, until each cell of the plan is full.

Every task begins with a user and the item that he or she took next, which was held out of everything the tools can
see. A draft workflow is grown around the two by running it, candidates are drawn for it, it is worded, and it is kept
if the judge finds nothing. Equal store, seed and plan give equal tasks.
"""

import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import jsonschema_rs
from attrs import define, field

from recfw.model.draws import Draws
from recfw.model.task import Task
from recfw.serialize import to_data
from recfw_orchestration.data.records import Business, Domain, HeldOut, Venue
from recfw_orchestration.data.store import Data
from recfw_orchestration.tasks.answer import arguments_of
from recfw_orchestration.tasks.fuzzify.fuzzing import Fuzzer, Ledger, Request
from recfw_orchestration.tasks.judge.material import immaterial
from recfw_orchestration.tasks.judge.structure import LIKED, SHAPES, distinct, useful
from recfw_orchestration.tasks.judge.words import consistent, solvable, unnamed
from recfw_orchestration.tasks.plan import ambiguities
from recfw_orchestration.tasks.records import AMBIGUITIES, LEVELS
from recfw_orchestration.tasks.synthesize.choosing import FEWEST, choose, pool_of, tabulate
from recfw_orchestration.tasks.synthesize.draft import Draft
from recfw_orchestration.tasks.synthesize.finishing import Finished, finish
from recfw_orchestration.tasks.synthesize.flows import compose
from recfw_orchestration.tasks.synthesize.running import Runner

PATIENCE = 4_000
"""Drafts in a row that may come to nothing before a cell is given up."""

Rewrite = Callable[[Request, str], Awaitable[Request | None]]
"""Words a task's request anew, given its id; None keeps it as it is."""


@define
class Generator:
    """
    Makes tasks.

    Args:
        data: The store.
        run: Makes calls on its servers.
        schemas: Tool -> its strict schema.
        seed: Of all draws.
        total: Tasks of the whole set, of which no phrasing may be in more than 3 %.
        step: Called after each task.
        rewrite: Words requests anew, where a model is asked to; what it writes is judged as the phrasings are.
    """

    data: Data
    run: Runner
    schemas: Mapping[str, dict[str, Any]]
    seed: int
    total: int
    step: Callable[[], None] = field(default=lambda: None)
    rewrite: Rewrite | None = None
    kept: int = field(default=0, init=False)
    """Requests that kept the phrasings' words, since the model's were not usable."""
    _used: Counter[str] = field(factory=Counter, init=False)
    _instructions: set[str] = field(factory=set, init=False)
    _validators: dict[str, Any] = field(factory=dict, init=False)
    _ledger: Ledger = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ledger = Ledger.of(self.total)
        self._validators = {tool: jsonschema_rs.Draft202012Validator(schema) for tool, schema in self.schemas.items()}

    async def generate(self, plan: Mapping[Domain, Mapping[str, int]]) -> tuple[list[Task], dict[str, Counter[str]]]:
        """
        Return the tasks of a plan in order of domain and level, and each cell's endings: why drafts came to nothing.

        A cell that the store cannot fill gets as many tasks as were found, their ambiguity spread as in a full one.
        """
        tasks: list[Task] = []
        endings: dict[str, Counter[str]] = {}
        for domain, levels in plan.items():
            users = self._users(domain)
            for level in LEVELS:
                cell = f"{domain} {level}"
                tasks += await self._cell(
                    domain, level, levels.get(level, 0), users, endings.setdefault(cell, Counter())
                )
        return tasks, endings

    def _users(self, domain: Domain) -> list[tuple[str, HeldOut]]:
        """Return the users whose held-out interaction shows a preference, in random order; none where items are few."""
        if self.data.count("items", domain) < FEWEST:
            return []
        held_out = ((user, self.data.held_out(domain, user)) for user in self.data.user_ids(domain))
        found = [(user, held) for user, held in held_out if held and (held.rating is None or held.rating >= LIKED)]
        Draws(self.seed, "users", domain).shuffle(found)
        return found

    async def _cell(
        self,
        domain: Domain,
        level: str,
        count: int,
        users: Sequence[tuple[str, HeldOut]],
        endings: Counter[str],
    ) -> list[Task]:
        """Return a cell's tasks; where too few are found, as many as are, drawn anew with their own ambiguities."""
        while count and users:
            before = deepcopy((self._used, self._instructions, self._ledger))
            tasks = await self._drawn(domain, level, count, users, endings)
            if len(tasks) == count:
                return tasks
            self._used, self._instructions, self._ledger = before
            count = len(tasks)
        return []

    async def _drawn(
        self,
        domain: Domain,
        level: str,
        count: int,
        users: Sequence[tuple[str, HeldOut]],
        endings: Counter[str],
    ) -> list[Task]:
        wanted = ambiguities(count, Draws(self.seed, "ambiguity", domain, level))
        tasks: list[Task] = []
        # Each cell begins elsewhere, so that the same users do not fill all of them.
        start = LEVELS.index(level) * len(users) // len(LEVELS)
        since = 0
        for number in itertools.count():
            if since == PATIENCE or len(tasks) == count:
                break
            since += 1
            user, held = users[(start + number) % len(users)]
            draws = Draws(self.seed, "task", domain, level, number)
            draft = Draft(self.data, self.run, draws, domain, user, held.item_id, used=self._used)
            name = f"{domain}-{level}-{len(tasks) + 1:03d}"
            made = await self._attempt(draft, level, wanted[len(tasks)], held, name)
            if isinstance(made, str):
                endings[made] += 1
                continue
            since = 0
            endings["taken"] += 1
            tasks.append(made)
            self._used.update(draft.parts)
            self._instructions.add(made.public["instruction"])
            self.step()
        return tasks

    async def _attempt(self, draft: Draft, level: str, ambiguity: str, held: HeldOut, name: str) -> Task | str:
        """Return a task, or why there is none."""
        finished = await self._synthesized(draft, level, held)
        if isinstance(finished, str):
            return finished
        fault = await self._judged(draft, finished, held)
        return fault or await self._worded(draft, finished, ambiguity, name)

    async def _synthesized(self, draft: Draft, level: str, held: HeldOut) -> Finished | str:
        """Return a workflow that leads to the item among candidates, or why there is none."""
        _settle(draft, held)
        if not await compose(draft, level):
            return "no such flow leads to the item"
        pool = pool_of(draft)
        table = await tabulate(draft, pool)
        if table is None:
            return "a call is refused"
        candidates = choose(draft, table, pool)
        if candidates is None:
            return "no candidates tell it apart"
        return await finish(draft, level, candidates) or "the run fails"

    async def _judged(self, draft: Draft, finished: Finished, held: HeldOut) -> str | None:
        """Return what is wrong with a workflow."""
        flow = finished.workflow
        sent = [
            (call.tool, arguments_of(call, flow.answer, finished.results, finished.candidates)) for call in flow.calls
        ]
        if not all(self._validators[tool].is_valid(arguments) for tool, arguments in sent):
            return "schema"
        if not SHAPES[flow.level](flow):
            return "structure"
        if not distinct(sent):
            return "a call repeats another"
        if not useful(flow, held.rating):
            return "utility"
        if await immaterial(flow, finished.candidates, draft.target, self.run):
            return "a call is decoration"
        return None

    async def _worded(self, draft: Draft, finished: Finished, ambiguity: str, name: str) -> Task | str:
        """Return the task in fuzzy words, or why they do not do."""
        fuzzer = Fuzzer(self._ledger)
        facts = {"city": getattr(draft.item, "city", ""), **draft.place}
        types = AMBIGUITIES.index(ambiguity) + 1
        request = fuzzer.request(draft.domain, draft.wishes, facts, types, draft.draws)
        if request is None:
            return "not ambiguous enough"
        public = _public(draft, finished, request)
        fault = self._unworthy(draft, finished, request, public)
        if fault is not None:
            return fault
        if self.rewrite is not None:
            anew = await self.rewrite(request, name)
            told = {**public, "instruction": anew.instruction} if anew is not None else public
            if anew is None or self._unworthy(draft, finished, anew, told) is not None:
                self.kept += 1
            else:
                request, public = anew, told
        flow = finished.workflow
        self._ledger.enter(request.phrases)
        private = {
            "target": draft.target,
            "gold": to_data(flow),
            "plain": request.plain,
            "phrases": to_data(request.phrases),
        }
        facets = {"level": flow.level, "domain": draft.domain, "ambiguity": ambiguity}
        return Task(name, name, facets, public, private)

    def _unworthy(self, draft: Draft, finished: Finished, request: Request, public: Mapping[str, Any]) -> str | None:
        """Return what is wrong with a request's words."""
        if request.instruction in self._instructions:
            return "said before"
        if not unnamed(request.instruction, draft.item.name, finished.candidates):
            return "named"
        if not consistent(request.phrases, request.instruction):
            return "consistency"
        if solvable(finished.workflow, request.instruction, public, request.phrases):
            return "solvability"
        return None


def _settle(draft: Draft, held: HeldOut) -> None:
    """Give the user a city and the time of the held-out visit; a step may choose another time."""
    item = draft.item
    if isinstance(item, Business | Venue):
        draft.place["city"] = item.city
    if isinstance(item, Venue):
        draft.time = held.time


def _public(draft: Draft, finished: Finished, request: Request) -> dict[str, Any]:
    return {
        "instruction": request.instruction,
        "user_id": draft.user,
        "place": dict(draft.place) or None,
        "time": draft.time,
        "candidates": list(finished.candidates),
    }
