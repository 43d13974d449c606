"""
What the user says of its errand, and when (disclosure policy of the paper, appendix A.3).

It opens with the category, the use, or both; after that an utterance holds at most one new key detail: one that was
asked for, one that a rejection gives away, or one that it volunteers.
"""

from collections.abc import Sequence

from attrs import define, field

from recfw_situated.profiles.records import Profile
from recfw_situated.tasks.records import Goal
from recfw_situated.users.judging import Exposure, Verdict
from recfw_situated.users.manner import Manner

_KEYS = {"need": "need:", "unwanted": "unwanted:", "budget": "budget", "use": "use", "category": "category"}


def money(amount: float) -> str:
    """Return an amount as it is spoken."""
    return f"${amount:,.0f}" if amount == round(amount) else f"${amount:,.2f}"


@define
class Teller:
    """
    Says what a shopper says.

    Args:
        profile: Who it is.
        goal: What it wants.
        manner: How it behaves.
        told: Keys of the details that were told so far.
    """

    profile: Profile
    goal: Goal
    manner: Manner
    told: list[str] = field(factory=list)
    fresh: list[str] = field(factory=list)
    _order: tuple[str, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        rest = [key for key in self.goal.disclosure.order if key != "budget"]
        order = list(self.goal.disclosure.order)
        if self.manner.budget_first:
            order = ["budget", *rest]
        elif self.manner.budget_last:
            order = [*rest, "budget"]
        self._order = tuple(order)

    def begin(self) -> None:
        """Begin an utterance: nothing new was told in it yet."""
        self.fresh = []

    def opening(self) -> list[str]:
        """Return the sentences with which the errand is opened."""
        goal, opens = self.goal, self.goal.disclosure.opens_with
        greeting = ["Hello!"] if self.manner.polite or self.manner.chats else []
        if opens == "category":
            said = f"I'm looking for {goal.category_words}."
        elif opens == "use":
            said = f"I need something for {goal.use}."
        else:
            said = f"I'm looking for {goal.category_words} for {goal.use}."
        self.told += ["category", "use"] if opens == "both" else [opens]
        self.fresh = list(self.told)
        chat = [self.profile.persona] if self.manner.chats else []
        return [*greeting, *chat, said]

    def answer(self, topics: Sequence[str]) -> list[str]:
        """Return what is answered to questions about these topics: all of the background, one key detail."""
        said: list[str] = []
        for topic in topics:
            if topic in _KEYS:
                if not self.fresh:
                    said.append(self._detail(topic))
            else:
                said.append(self._background(topic))
        return [sentence for sentence in dict.fromkeys(said) if sentence]

    def volunteer(self) -> list[str]:
        """Return the next detail unasked, if any is left and nothing new was told in this utterance."""
        left = [key for key in self._order if key not in self.told]
        return [self._tell(left[0])] if left and not self.fresh else []

    @property
    def finished(self) -> bool:
        """Every detail was told."""
        return all(key in self.told for key in self._order)

    def reject(self, name: str, verdict: Verdict) -> list[str]:
        """Return why a product is declined: one reason, the gravest."""
        goal = self.goal
        if verdict.other:
            reason, key = f"it isn't {goal.category_words}", "category"
        elif verdict.over:
            reason, key = f"it is over my {money(goal.budget)} budget", "budget"
        elif verdict.unwanted:
            wish = verdict.unwanted[0]
            reason, key = f"I want nothing {wish.words}", f"unwanted:{goal.unwanted.index(wish)}"
        else:
            wish = verdict.missing[0]
            reason, key = f"I want something {wish.words}", f"need:{goal.preferences.index(wish)}"
        self._note(key)
        if self.manner.blunt:
            return [f"No, {reason}."]
        softly = "Thank you, but I'll pass on" if self.manner.polite else "I'll pass on"
        said = [f"{softly} the {name}, because {reason}."]
        if self.manner.compares:
            said.append("How does it compare with others you have?")
        elif self.manner.asks:
            said.append("Is there another one that would do?")
        return said

    def exposes(self, exposure: Exposure) -> str:
        """Return what is said about a claim that inspection showed to be false."""
        if exposure.fact == "price":
            return f"You said {money(float(exposure.said))}, but it costs {money(float(exposure.found))}."
        words = self._words_of(exposure.fact)
        said, found = ("is", "isn't") if exposure.said else ("isn't", "is")
        return f"You told me it {said} {words}, but it {found}."

    def read_out(self, name: str, price: float) -> str:
        """Return what is said on reading a package."""
        return f"The {name} is {money(price)}, I see."

    # --- Parts --------------------------------------------------------------------------------------------------------

    def _words_of(self, label: str) -> str:
        wishes = (*self.goal.preferences, *self.goal.unwanted)
        return next((wish.words for wish in wishes if wish.label == label), label)

    def _detail(self, topic: str) -> str:
        """Return the next detail of a topic; what was told already is told again, since it was asked for."""
        keys = [key for key in self._keys_of(topic) if key not in self.told]
        if keys:
            return self._tell(keys[0])
        told = self._keys_of(topic)
        if topic in {"budget", "use", "category"}:
            return self._say(told[0])
        return "Nothing else in particular." if told else "No preference there."

    def _keys_of(self, topic: str) -> list[str]:
        known = [*self._order, "category", "use"]
        return [key for key in dict.fromkeys(known) if key.startswith(_KEYS[topic])]

    def _tell(self, key: str) -> str:
        self._note(key)
        return self._say(key)

    def _note(self, key: str) -> None:
        if key not in self.told:
            self.told.append(key)
            self.fresh.append(key)

    def _say(self, key: str) -> str:
        kind, _, number = key.partition(":")
        if kind == "budget":
            return f"I'd like to spend no more than {money(self.goal.budget)}."
        if kind == "use":
            return f"It's for {self.goal.use}."
        if kind == "category":
            return f"I'm looking for {self.goal.category_words}: {self.goal.request}"
        if kind == "unwanted":
            return f"I want nothing {self.goal.unwanted[int(number)].words}."
        return f"I'd like something {self.goal.preferences[int(number)].words}."

    def _background(self, topic: str) -> str:
        who = self.profile
        return {
            "household": f"It's for my home: {who.household}.",
            "home": f"I live in {who.housing}.",
            "storage": f"At home I have {who.storage}.",
            "transport": f"I came {who.transport}.",
            "self": f"I'm a {who.gender}, {who.age_group}, {who.employment}; {who.occupation}.",
        }.get(topic, "")
