"""The rule-based user's mind: one reply a turn, from what it hears, sees, holds, and wants."""

from typing import Any

from attrs import asdict, define, field, frozen

from recfw.model.draws import Draws
from recfw_situated.actions.user import IDLE, SUPERMARKET, Call
from recfw_situated.profiles.records import Profile
from recfw_situated.tasks.records import Goal
from recfw_situated.users import walking
from recfw_situated.users.hearing import Heard, claims, hear
from recfw_situated.users.judging import expose, judge
from recfw_situated.users.manner import Manner, manner_of
from recfw_situated.users.memory import Memory
from recfw_situated.users.mentions import telling
from recfw_situated.users.telling import Teller
from recfw_situated.users.walking import Seen

PLACES = ("fixtures", "stores", "areas")
GIVES_UP = "I'll leave it for today. Goodbye."


@frozen
class Sight:
    """What the user sees now: places and products by a key of their own, ``kind:handle``."""

    places: dict[str, Seen]
    products: dict[str, Seen]

    @classmethod
    def of(cls, visible: dict[str, list[Seen]]) -> "Sight":
        """Return what the facts of a View show."""
        places = {f"{kind[:-1]}:{seen['handle']}": seen for kind in PLACES for seen in visible.get(kind, ())}
        return cls(places, {seen["handle"]: seen for seen in visible["products"]})


@define
class Shopper:
    """
    One shopper in one episode.

    Args:
        scene: Where it shops.
        profile: Who it is.
        goal: What it wants.
        seed: Seed of its draws.
    """

    scene: str
    profile: Profile
    goal: Goal
    seed: int
    manner: Manner = field(init=False)
    teller: Teller = field(init=False)
    memory: Memory = field(factory=Memory, init=False)
    _progress: bool = field(default=False, init=False)
    _reason: str = field(default="", init=False)
    _exposed: list[dict[str, Any]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.manner = manner_of(self.profile, self.goal)
        self.teller = Teller(self.profile, self.goal, self.manner)

    def respond(self, facts: dict[str, Any]) -> tuple[str, Call, dict[str, Any]]:
        """
        Return what is said and done, and notes for the trace.

        Args:
            facts: Of the user's View: ``utterance``, ``visible``, ``held``, ``checked``, ``last``.
        """
        memory, utterance = self.memory, facts["utterance"]
        memory.turns += 1
        memory.heard.append(utterance)
        self.teller.begin()
        self._progress, self._reason, self._exposed = False, "", []
        sight = Sight.of(facts["visible"])
        heard = hear(utterance, _names(sight.places), _names(sight.products))
        item = facts["held"] or facts["checked"]
        said, call = self._with_item(item, heard) if item else self._without_item(heard, sight, facts)
        if not item and memory.fruitless >= self.manner.patience and not self._progress:
            said, call, self._reason = [GIVES_UP], IDLE, "out of patience"
        memory.fruitless = 0 if self._progress else memory.fruitless + 1
        notes = {"told": list(self.teller.fresh), "reason": self._reason, "exposed": self._exposed}
        return " ".join(said), call, notes

    # --- With a product in hand or just checked -----------------------------------------------------------------------

    def _with_item(self, item: dict[str, Any], heard: Heard) -> tuple[list[str], Call]:
        memory, name = self.memory, item["name"]
        said: list[str] = []
        if name not in memory.inspected:
            self._progress = True
            memory.inspected[name], memory.thought = item, 0
            said += self._expose(item)
            said += [self.teller.read_out(name, item["price"])] if self.manner.reads else []
        verdict = judge(self.goal, item)
        if not verdict.acceptable(self.manner.misses[1 if memory.rejected else 0]):
            memory.rejected.append(name)
            self._reason = "declined"
            decline = Call("drop_item" if self.scene == SUPERMARKET else "do_not_add_to_cart", {})
            return [*said, *self.teller.reject(name, verdict)], decline
        if doubt := self._doubt(item, heard):
            return [*said, doubt], IDLE
        self._reason, self._progress = "bought", True
        thanks = " Thank you!" if self.manner.polite else ""
        return [*said, f"I'll take the {name}.{thanks}"], Call("add_to_cart", {})

    def _expose(self, item: dict[str, Any]) -> list[str]:
        said = [claim for words in self.memory.heard for claim in claims(words, item["name"], self.goal)]
        found = expose(self.goal, item, said)
        self.memory.exposures += len(found)
        self._exposed = [asdict(each) for each in found]
        return [self.teller.exposes(each) for each in found[:1]]

    def _doubt(self, item: dict[str, Any], heard: Heard) -> str:
        """Return what it says when it waits a turn before it buys; empty where it waits no longer."""
        memory = self.memory
        self._progress = True
        dear = item["price"] > 0.8 * self.goal.budget
        if self.manner.asks_cheaper and dear and not memory.asked_cheaper:
            memory.asked_cheaper, self._reason = True, "asks for something cheaper"
            return "It would do. Is there anything cheaper?"
        if memory.thought < self.manner.hesitates and not (heard.buy and memory.thought):
            memory.thought += 1
            self._reason = "hesitates"
            return "I'm not quite sure. Does it really suit me?" if not self.manner.blunt else "Let me think."
        return ""

    # --- Without ------------------------------------------------------------------------------------------------------

    def _without_item(self, heard: Heard, sight: Sight, facts: dict[str, Any]) -> tuple[list[str], Call]:
        said = self._talk(heard)
        call, comment = self._act(heard, sight, facts)
        return ([*said, comment] if comment and (not said or comment.endswith("?")) else said), call

    def _talk(self, heard: Heard) -> list[str]:
        teller, memory = self.teller, self.memory
        if memory.turns == 1:
            self._progress = True
            return teller.opening()
        said = teller.answer(heard.asked)
        often = self.manner.volunteers
        if not said and often and memory.turns % often == 0:
            said = teller.volunteer()
        self._progress = self._progress or bool(teller.fresh)
        return said

    def _act(self, heard: Heard, sight: Sight, facts: dict[str, Any]) -> tuple[Call, str]:
        wanted = self.memory.mentioned({key: seen["name"] for key, seen in sight.products.items()})
        wanted = [key for key in wanted if not self._ruled_out(sight.products[key]["name"])]
        reachable = [key for key in wanted if sight.products[key]["reach"]]
        if reachable:
            return self._inspect(sight.products[reachable[0]], heard)
        guided = bool(heard.places or heard.directions)
        if guided and self._follows() and (found := self._guided(heard, sight)):
            return found
        if wanted and not self._stuck(facts):
            seen = sight.products[wanted[0]]
            self._progress, self._reason = True, "walks up to a product"
            return walking.towards(seen["bearing"], seen["distance"]), f"I see the {seen['name']}."
        if not guided and heard.question and not heard.recommends:
            return IDLE, ""
        return self._explore(sight, heard)

    def _ruled_out(self, name: str) -> bool:
        """Tell whether what the assistant said of a product is enough not to want it: the price, above all."""
        told = [claim for words in self.memory.heard for claim in claims(words, name, self.goal)]
        prices = [float(claim.said) for claim in told if claim.fact == "price"]
        return bool(prices) and prices[-1] > self.goal.budget

    def _inspect(self, seen: Seen, heard: Heard) -> tuple[Call, str]:
        name, memory, manner = seen["name"], self.memory, self.manner
        self._progress = True
        unexplained = (manner.asks_why and not heard.reasons) or (manner.asks_fact and not heard.price)
        if unexplained and name not in memory.asked_why:
            memory.asked_why.append(name)
            self._reason = "wants a reason"
            return IDLE, f"Why the {name}, and what does it cost?" if manner.asks_fact else f"Why the {name}?"
        self._reason = "inspects"
        return walking.pick(self.scene, seen), f"Let me have a look at the {name}."

    def _follows(self) -> bool:
        drawn = Draws(self.seed, "follows", self.memory.turns).random()
        return drawn < self.manner.follows

    def _guided(self, heard: Heard, sight: Sight) -> tuple[Call, str] | None:
        place = walking.spoken_place(heard.places, sight.places, self.memory.visited)
        if place is not None and (place.go or not heard.directions):
            seen = sight.places[place.key]
            self._progress = self._progress or seen["name"] not in self.memory.visited
            self.memory.visited.append(seen["name"])
            self._reason = "follows to a place"
            kind = place.key.partition(":")[0]
            return walking.to_place(kind, seen, place.approach), f"All right, I'll go to {seen['name']}."
        if heard.directions:
            self._progress, self._reason = True, "follows directions"
            return walking.by_directions(heard.directions), "All right."
        return None

    def _stuck(self, facts: dict[str, Any]) -> bool:
        last = facts.get("last")
        return bool(last and last["blocked"] and last["moved"] < 10)

    def _explore(self, sight: Sight, heard: Heard) -> tuple[Call, str]:
        """Go where a sign fits the need, look at what fits by its name, or turn to see more."""
        key = walking.fitting(sight.places, self.goal, self.memory.visited)
        if key is not None:
            seen = sight.places[key]
            self.memory.visited.append(seen["name"])
            self._progress, self._reason = True, "goes where a sign fits"
            return walking.to_place(key.partition(":")[0], seen, ""), f"I'll have a look at {seen['name']}."
        if self.manner.tries and (tried := self._untried(sight)):
            self._progress, self._reason = True, "tries something unasked"
            return walking.pick(self.scene, tried), f"What about the {tried['name']}?"
        self._reason = "looks around"
        side = heard.side if heard.side in {"left", "right"} else self.manner.searches
        return walking.search(side), "I'm having a look around."

    def _untried(self, sight: Sight) -> Seen | None:
        wanted = walking.wished_words(self.goal)
        fits = [
            (-len(wanted & frozenset(telling(seen["name"]))), seen["distance"], key)
            for key, seen in sight.products.items()
            if seen["reach"] and seen["name"] not in self.memory.rejected
        ]
        best = min(fits, default=(0, 0.0, ""))
        return sight.products[best[2]] if best[0] < 0 else None


def _names(seen: dict[str, Seen]) -> dict[str, str]:
    return {key: each["name"] for key, each in seen.items()}
