"""
One episode: who holds the floor, what each role sees, what an action does to the store, and how it ends.

A **turn** is the assistant's reply, the user's reply with one physical action, and the moderator's answer where the
episode is still active; the assistant begins. Turns count from 1. Core's own reply events hold everything that was
said as it was sent; the world events here hold what it meant. Ids are those of the scene records, whatever label a role
knew them by; cm, degrees, USD.

``observed``: the store as it is at the beginning of a turn; one event a turn, before the assistant speaks, and a last
one after the episode's last action, whose ``turn`` is one more than the number of turns and whose ``final`` is true.
    turn, final
    pose        [x, y, yaw, pitch]: where the user stands and looks, to four decimals, so that views can be made anew
    held        {instance, product} in the hand, or null (supermarket)
    checked     id of the product that was just checked, or null (furnishings)
    cart        ids of products, in the order in which they were added
    markers     visible entities, nearest first: {kind: product|fixture|store|area, id, user, assistant, distance,
                bearing}: the two roles' labels; distance along the floor; bearing in degrees, positive to the right.
                A product may have ``instance``, the nearest one that is in reach
    approaches  fixture -> the approaches that are supported now, or store -> likewise

``assistant``: what the assistant's reply meant.
    turn, utterance
    act         one of the ten dialogue actions; null where the reply was invalid twice
    action      the annotation as it was sent, without its type; {} where there is none
    goal        of Navigate: {text, kind: fixture|store|area, id}, id null where the text names no place; else null.
                In a furnishings store also ``waypoint``: {text, id} of the place to go to first
    recommended of Recommend: {text, product, visible}, product null where the text names none; ``visible``
                whether it is among the markers; else null
    expected    the expected user action: {name, arguments, legal, target, approach, direction}, or null. ``arguments``
                as sent; ``legal``: the name is one of the scene's 12 or 13; ``target``: id of the fixture, store, area
                or product that the handle stands for, null where it stands for none; ``approach`` and ``direction``
                null where the action has none
    ranking     product ids, in the order of the list; what is no product of the catalog stands as it was sent
    known       of each entry of the ranking, whether it is a product of the catalog
    recommends  Recommend annotations so far, this one included
    unannotated ids of products that the utterance recommends by name while the act is not Recommend
    repaired    a first reply was refused
    neutral     both replies were invalid: the fixed neutral utterance was said, without ranking and expected action

``user``: what the user's reply meant, and what its action did.
    turn, utterance
    action      {name, arguments, legal, allowed, target, approach, direction}: the first call, as ``expected`` above;
                ``legal`` false for a name that the scene does not have; ``allowed`` false where it was refused
    calls       how many calls the reply held (1 unless two replies in a row were off)
    refusal     the words of the refusal, or null
    before, after   poses as above
    moved       cm along the floor, straight from ``before`` to ``after``
    blocked     something stood in the way
    held, checked, cart     as above, after the action
    inspected   id of the product whose facts the action revealed, or null
    notes       what a user that is code reports of itself: {told: keys of details disclosed, reason, exposed:
                [{product, fact, said, found}]}; {} for others
    repaired, neutral       as above; the neutral action is idle

``violation``: {turn, role, labels}: marker labels that an utterance disclosed, as they were spoken.
``moderated``: {turn, end, reason}.
``ended``: {turn, reason, cart, recommends, turns}; ``reason`` is also the trial's stop reason:
    success_cart_added, recommendation_exhausted, turn_limit, motion_stall, moderator_termination.

The closing summary: {turns, reason, cart, recommends, violations: {user, assistant}, refusals, unannotated, neutral:
{user, assistant}, captures: how many pictures were made}.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from recfw.model.reply import Reply, ToolResult
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import SYSTEM, Message, Picture, PicturePart, View
from recfw.protocols import Accepted, Ended, Refused, Ruling
from recfw_situated.actions import assistant as assistants
from recfw_situated.actions import user as users
from recfw_situated.actions.assistant import AssistantTurn
from recfw_situated.actions.legality import rule
from recfw_situated.actions.perform import Effect, Planner, perform
from recfw_situated.actions.state import Interaction, facts_of
from recfw_situated.actions.user import IDLE, Malformed, UserTurn
from recfw_situated.briefs import MODERATOR_SCHEMA, Briefs, Exchange, pose_words
from recfw_situated.endings import MODERATED, Progress, reason_of
from recfw_situated.meaning import Meaning
from recfw_situated.prompts import template
from recfw_situated.scenes.records import Pose, Scene
from recfw_situated.tasks.records import goal_of, profile_of
from recfw_situated.views.disclosure import spoken_labels
from recfw_situated.views.observe import Marker, Observation
from recfw_situated.watch import Watch

Json = dict[str, Any]


@frozen
class Setup:
    """What all episodes of one scene share: records, briefs, names, the planner, and what is asked of pictures."""

    scene: Scene
    briefs: Briefs
    meaning: Meaning
    planner: Planner
    names: tuple[str, ...]
    pictures: str = "none"

    @property
    def kind(self) -> str:
        """Which of the two action sets the scene has."""
        return users.FURNISHINGS if self.scene.stores else users.SUPERMARKET


@define
class SituatedEnvironment:
    """
    The world of one episode.

    Args:
        task: The task; only its public half bears on what the assistant sees.
        setup: What all episodes of the scene share.
        watch: The store, its sights and pictures.
        turns: The turn limit.
    """

    task: Task
    setup: Setup
    watch: Watch
    turns: int
    state: Interaction = field(init=False)
    progress: Progress = field(factory=Progress, init=False)
    _floor: str = field(default="agent", init=False)
    _exchanges: list[Exchange] = field(factory=list, init=False)
    _said: AssistantTurn = field(default=assistants.NEUTRAL, init=False)
    _answered: UserTurn = field(default=UserTurn("", IDLE), init=False)
    _outcome: str = field(default="", init=False)
    _last: Json | None = field(default=None, init=False)
    _refused: dict[str, str] = field(factory=dict, init=False)
    _count: dict[str, Any] = field(init=False)
    _reason: str = field(default="", init=False)

    def __attrs_post_init__(self) -> None:
        self.state = Interaction(self.setup.scene)
        both = {"user": 0, "assistant": 0}
        self._count = {"violations": dict(both), "refusals": 0, "unannotated": 0, "neutral": dict(both)}

    def next_role(self) -> str:
        """Return the role that holds the floor now."""
        return self._floor

    @property
    def turn(self) -> int:
        """The number of the turn that is under way, from 1."""
        return len(self._exchanges) + 1

    # --- Views --------------------------------------------------------------------------------------------------------

    async def view(self, role: str) -> View:
        """
        Return what a role sees.

        Facts that all have: ``scene``, ``turn``, ``look`` (pictures to look at, ``pictures=all``).

        The assistant's: ``markers`` (visible entities in its own labels), ``pose``, ``state`` (cart, held, checked, by
        name), ``dialogue`` (turns that are over: {assistant, user, action, outcome}), ``catalog``, ``index``,
        ``layout`` (the map as data). The user's: ``utterance``, ``visible``, ``held`` and ``checked`` (facts that
        inspection revealed), ``cart``, ``last`` (what came of the last action), ``profile``, ``goal``. The
        moderator's: ``dialogue``.
        """
        if role == "moderator":
            return self._moderator_view()
        await self.watch.observe(self.turn, self.state)
        return self._agent_view() if role == "agent" else self._user_view()

    def _agent_view(self) -> View:
        setup, briefs = self.setup, self.setup.briefs
        seen = self.watch.seen["assistant"].ablated(briefs.ablation)  # type: ignore[arg-type]
        shown = [PicturePart(self.watch.handle("map", self.turn), "layout map, the customer on it")]
        if not briefs.ablation:
            shown.append(
                PicturePart(self.watch.handle("assistant", self.turn), "the customer's view with your markers")
            )
        held = self.state.names()
        now = briefs.now(self.turn, seen, shown, {"customer": pose_words(self.watch.pose), **held})
        messages = [Message.say(SYSTEM, briefs.assistant), *briefs.past("agent", self._exchanges), now]
        facts = self._shared(shown) | {
            "markers": [_told(marker, setup.scene.reach) for marker in seen.visible],
            "pose": _pose(self.watch.pose),
            "state": held,
            "dialogue": [_spoken(each) for each in self._exchanges],
            "catalog": briefs.catalog,
            "index": briefs.index,
            "layout": briefs.layout,
        }
        if briefs.blind:
            facts["places"] = briefs.places
        schema = assistants.reply_schema(setup.kind)
        return View("agent", (*messages, *self._repair("agent")), (), schema, facts)

    def _user_view(self) -> View:
        setup, briefs, private = self.setup, self.setup.briefs, self.task.private
        seen = self.watch.seen["user"]
        shown = [PicturePart(self.watch.handle("user", self.turn), "what you see, with your markers")]
        held, checked = (facts_of(self.state.product(each)) for each in (self.state.held, self.state.checked))
        state = {"held": held, "checked": checked, "cart": self.state.names()["cart"]}
        now = briefs.now(self.turn, seen, shown, state | {"last": self._last})
        words = briefs.user(profile_of(private), goal_of(private))
        messages = [Message.say(SYSTEM, words), *briefs.past("user", self._exchanges), now]
        messages.append(Message.say("agent", self._said.utterance))
        facts = self._shared(shown) | {
            "utterance": self._said.utterance,
            "visible": _visible(seen, setup.scene.reach),
            **state,
            "last": self._last,
            "profile": private["profile"],
            "goal": private["goal"],
        }
        schema = users.reply_schema(setup.kind)
        return View("user", (*messages, *self._repair("user")), (), schema, facts)

    def _moderator_view(self) -> View:
        history = [_spoken(each) for each in self._exchanges]
        told = [f"Assistant: {each['assistant']}\nCustomer: {each['user']} [{each['action']}]" for each in history]
        facts = {"scene": self.setup.kind, "turn": len(history), "dialogue": history}
        messages = (Message.say(SYSTEM, template("moderator")), Message.say(SYSTEM, "\n".join(told)))
        return View("moderator", (*messages, *self._repair("moderator")), (), MODERATOR_SCHEMA, facts)

    def _shared(self, shown: Sequence[PicturePart]) -> Json:
        look = [part.handle for part in shown] if self.setup.pictures == "all" else []
        return {"scene": self.setup.kind, "turn": self.turn, "look": look}

    def _repair(self, role: str) -> tuple[Message, ...]:
        words = self._refused.get(role)
        return (Message.say(SYSTEM, words),) if words else ()

    async def picture(self, handle: str) -> Picture:
        """Return a picture of the current view, or one that was looked at before; KeyError of any other."""
        return await self.watch.picture(handle)

    async def call(self, role: str, tool: str, arguments: dict[str, Any]) -> ToolResult:  # noqa: ARG002 - no tools here
        """Answer that there are no tools: actions are part of the structured reply."""
        return ToolResult("There are no tools; answer with the JSON object of the schema.", error=True)

    def summary(self) -> dict[str, Any]:
        """Return the closing facts (see this module's beginning)."""
        told = self.state.told()
        return {
            "turns": len(self._exchanges),
            "reason": self._reason,
            "cart": told["cart"],
            "recommends": self.progress.recommends,
            **self._count,
            "captures": self.watch.captures,
        }

    # --- Replies ------------------------------------------------------------------------------------------------------

    async def receive(self, role: str, reply: Reply, results: Sequence[ToolResult]) -> Ruling:  # noqa: ARG002 - no tools
        """Take a reply: the assistant's words, the user's words and action, or the moderator's answer."""
        if role == "agent":
            return self._hear_assistant(reply)
        if role == "user":
            return await self._hear_user(reply)
        return await self._hear_moderator(reply)

    def _refuse(self, role: str, words: str) -> Refused:
        self._refused[role] = f"Your last reply was invalid: {words}. Answer again with one JSON object of the schema."
        return Refused(self._refused[role])

    def _hear_assistant(self, reply: Reply) -> Ruling:
        seen, blind = self.watch.seen["assistant"], self.setup.briefs.blind
        again = "agent" in self._refused
        try:
            turn = assistants.read_assistant(reply.data, self.setup.kind, blind=blind)
            fault = "" if blind or again else self.setup.meaning.unseen(turn, seen)
        except Malformed as error:
            turn, fault = assistants.NEUTRAL, str(error)
        if fault and not again:
            return self._refuse("agent", fault)
        self._refused.pop("agent", None)
        self._said, self._floor = turn, "user"
        events = [self._observed(final=False)] if self.turn == 1 else []
        events.append(WorldEvent("assistant", self._assistant_data(turn, seen, repaired=again, neutral=bool(fault))))
        return Accepted((*events, *self._violations("assistant", turn.utterance)))

    def _assistant_data(self, turn: AssistantTurn, seen: Observation, *, repaired: bool, neutral: bool) -> Json:
        meaning = self.setup.meaning
        recommended = meaning.recommended(turn, seen)
        self.progress.recommends += recommended is not None
        ranking, known = meaning.ranking(turn)
        unannotated = meaning.unannotated(turn)
        self._count["unannotated"] += len(unannotated)
        self._count["neutral"]["assistant"] += neutral
        return {
            "turn": self.turn,
            "utterance": turn.utterance,
            "act": turn.act or None,
            "action": turn.action,
            "goal": meaning.goal(turn),
            "recommended": recommended,
            "expected": meaning.action(turn.expected, None if self.setup.briefs.blind else seen),
            "ranking": ranking,
            "known": known,
            "recommends": self.progress.recommends,
            "unannotated": unannotated,
            "repaired": repaired,
            "neutral": neutral,
        }

    def _violations(self, role: str, utterance: str) -> list[WorldEvent]:
        labels = spoken_labels(utterance, self.setup.names)
        self._count["violations"][role] += len(labels)
        return [WorldEvent("violation", {"turn": self.turn, "role": role, "labels": labels})] if labels else []

    async def _hear_user(self, reply: Reply) -> Ruling:
        again = "user" in self._refused
        neutral = False
        try:
            turn = users.read_user(reply.data, self.setup.kind, lenient=again)
        except Malformed as error:
            if not again:
                return self._refuse("user", str(error))
            turn, neutral = UserTurn(reply.text.strip() if reply.data is None else "", IDLE), True
        self._refused.pop("user", None)
        self._count["neutral"]["user"] += neutral
        data = await self._act(turn)
        events = [WorldEvent("user", {**data, "repaired": again, "neutral": neutral})]
        events += self._violations("user", turn.utterance)
        self._answered = turn
        seen, pictures = dict(self.watch.seen), self.watch.handles(self.turn)
        self._exchanges.append(
            Exchange(self.turn, self._said.utterance, turn.utterance, turn.call, self._outcome, seen, pictures)
        )
        self.progress.count(data["action"]["name"], data["moved"], allowed=data["action"]["allowed"])
        reason = reason_of(self.progress, cart=bool(self.state.cart), turns=len(self._exchanges), limit=self.turns)
        if reason:
            return await self._end(reason, events)
        self._floor = "moderator"
        return Accepted(tuple(events))

    async def _act(self, turn: UserTurn) -> Json:
        """Carry the user's action out where it is allowed; return the event's data."""
        seen, before, call = self.watch.seen["user"], self.watch.pose, turn.call
        ruled = rule(call, self.setup.scene, seen, self.state)
        effect = Effect(before)
        if not ruled.refusal:
            effect = await perform(call, ruled.marker, before, self.watch.store, self.setup.planner, self.state)
            self.watch.move(effect.pose)
        self._count["refusals"] += bool(ruled.refusal)
        self._outcome = _outcome(ruled.refusal, effect)
        self._last = {
            "name": call.name,
            "allowed": not ruled.refusal,
            "refusal": ruled.refusal,
            "moved": round(effect.moved, 1),
            "blocked": effect.blocked,
        }
        action = self.setup.meaning.action(call, seen)
        assert action is not None
        return {
            "turn": self.turn,
            "utterance": turn.utterance,
            "action": {**action, "allowed": not ruled.refusal},
            "calls": turn.calls,
            "refusal": ruled.refusal or None,
            "before": _pose(before),
            "after": _pose(effect.pose),
            "moved": round(effect.moved, 1),
            "blocked": effect.blocked,
            **self.state.told(),
            "inspected": effect.inspected or None,
            "notes": turn.notes,
        }

    async def _hear_moderator(self, reply: Reply) -> Ruling:
        data = reply.data if isinstance(reply.data, dict) else {}
        if data.get("end") not in {"yes", "no"}:
            if "moderator" not in self._refused:
                return self._refuse("moderator", "end must be yes or no")
            data = {"end": "no", "reason": "no valid answer"}
        self._refused.pop("moderator", None)
        ends = data["end"] == "yes"
        moderated = {"turn": len(self._exchanges), "end": ends, "reason": str(data.get("reason", ""))}
        event, self._floor = WorldEvent("moderated", moderated), "agent"
        await self.watch.observe(self.turn, self.state)
        if ends:
            return self._closed(MODERATED, [event])
        return Accepted((event, self._observed(final=False)))

    # --- Endings ------------------------------------------------------------------------------------------------------

    async def _end(self, reason: str, events: list[WorldEvent]) -> Ended:
        await self.watch.observe(self.turn, self.state)
        return self._closed(reason, events)

    def _closed(self, reason: str, events: list[WorldEvent]) -> Ended:
        self._reason = reason
        ended = {
            "turn": len(self._exchanges),
            "reason": reason,
            "cart": self.state.told()["cart"],
            "recommends": self.progress.recommends,
            "turns": len(self._exchanges),
        }
        return Ended(reason, (*events, self._observed(final=True), WorldEvent("ended", ended)))

    def _observed(self, *, final: bool) -> WorldEvent:
        seen, other = self.watch.seen["user"], self.watch.seen["assistant"]
        reach = self.setup.scene.reach
        markers = []
        for marker in seen.visible:
            label = other.by_id(marker.kind, marker.id)
            data: Json = {
                "kind": marker.kind,
                "id": marker.id,
                "user": marker.handle,
                "assistant": label.handle if label else None,
                "distance": round(marker.distance),
                "bearing": round(marker.bearing),
            }
            if marker.kind == "product" and marker.distance <= reach:
                data["instance"] = marker.instance
            markers.append(data)
        approaches = {marker.id: list(marker.approaches) for marker in seen.visible if marker.approaches}
        data = {"turn": self.turn, "final": final, "pose": _pose(self.watch.pose), **self.state.told()}
        return WorldEvent("observed", {**data, "markers": markers, "approaches": approaches})


def _pose(pose: Pose) -> list[float]:
    return [round(value, 4) for value in (pose.x, pose.y, pose.yaw, pose.pitch)]  # as exact as the store tells it


def _outcome(refusal: str, effect: Effect) -> str:
    if refusal:
        return f"refused: {refusal}"
    if effect.blocked:
        return f"something was in the way after {effect.moved / 100:.1f} m"
    return f"moved {effect.moved / 100:.1f} m" if effect.moved else "done"


def _told(marker: Marker, reach: float) -> Json:
    """Return a marker as a role's facts hold it."""
    held: Json = {
        "handle": marker.handle,
        "kind": marker.kind,
        "name": marker.display_name,
        "distance": round(marker.distance),
        "bearing": round(marker.bearing),
    }
    if marker.kind == "product":
        held["reach"] = marker.distance <= reach
    elif marker.approaches:
        held["approaches"] = list(marker.approaches)
    return held


def _visible(seen: Observation, reach: float) -> Mapping[str, list[Json]]:
    """Return the user's marker map by kind."""
    held: dict[str, list[Json]] = {"products": [], "fixtures": [], "stores": [], "areas": []}
    for marker in seen.visible:
        told = _told(marker, reach)
        kind = told.pop("kind")
        held[f"{kind}s"].append(told)
    return held


def _spoken(exchange: Exchange) -> Json:
    return {
        "assistant": exchange.assistant,
        "user": exchange.user,
        "action": exchange.call.name,
        "outcome": exchange.outcome,
    }
