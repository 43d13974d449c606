"""An episode as text for a judge: views by name, words, actions and their outcome; no labels, no hidden fields."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from recfw.model.rubric import Transcript
from recfw.model.task import Task
from recfw.model.trace import Trace, WorldEvent
from recfw_situated.briefs import goal_text
from recfw_situated.meaning import plain
from recfw_situated.scenes.records import Product, Scene
from recfw_situated.tasks.records import goal_of

Json = dict[str, Any]

_NOTHING = "something that was not in view"


def transcript(task: Task, trace: Trace, scene: Scene) -> Transcript:
    """Return what a judge is shown of a trial in a scene."""
    told = Told(scene)
    lines = tuple(line for event in trace.events if isinstance(event, WorldEvent) for line in told.lines(event))
    named = told.named(trace)
    facts = "\n".join(f"- {told.facts(product)}" for product in named) or "- none"
    errand = goal_text(goal_of(task.private))
    briefing = (
        f"Store: {told.scene.title}.\nThe shopper's errand, which the assistant was not told:\n{errand}\n"
        f"Catalog facts of the products that were named or inspected:\n{facts}"
    )
    return Transcript(briefing, (*lines, ("end", trace.stop)))


@frozen
class Told:
    """Tells events of one scene in words, by the names of its records."""

    scene: Scene

    def name(self, entity: str | None) -> str:
        """Return the name of a product, fixture, store or area."""
        if entity is None:
            return _NOTHING
        for known in (
            self.scene.product_by_id,
            self.scene.fixture_by_id,
            self.scene.store_by_id,
            self.scene.area_by_id,
        ):
            if entity in known:
                return str(known[entity].name)
        return entity

    def facts(self, product: str) -> str:
        """Return a product's name, price and attributes."""
        record: Product = self.scene.product_by_id[product]
        attributes = "; ".join(f"{name}: {_value(value)}" for name, value in record.attributes.items())
        return f"{record.name} ({record.category}), ${record.price:.2f}; {attributes}; tags: {', '.join(record.tags)}"

    def lines(self, event: WorldEvent) -> Iterator[tuple[str, str]]:
        """Yield who and what, of one event; nothing of those that are not for a judge."""
        data = event.data
        if event.name == "observed":
            yield "view", self._view(data)
        elif event.name == "assistant":
            yield "assistant", data["utterance"]
        elif event.name == "user":
            if data["utterance"]:
                yield "shopper", data["utterance"]
            yield "shopper's action", self.action(data)
        elif event.name == "violation":
            yield "rule", f"the {data['role']} spoke marker labels: {', '.join(data['labels'])}"

    def action(self, data: Mapping[str, Any]) -> str:
        """Return a user's action, what came of it, and what it revealed."""
        act: Json = data["action"]
        parts = [act["name"]]
        if act["name"].startswith(("move_to", "pick_up", "check")):
            parts.append(self.name(act["target"]))
        parts += [str(act[key]) for key in ("approach", "direction") if act[key]]
        if data["refusal"]:
            outcome = "refused"
        elif data["blocked"]:
            outcome = f"something was in the way after {data['moved'] / 100:.1f} m"
        else:
            outcome = f"moved {data['moved'] / 100:.1f} m" if data["moved"] else "done"
        revealed = f"; it revealed: {self.facts(data['inspected'])}" if data["inspected"] else ""
        return f"{', '.join(parts)}; {outcome}{revealed}"

    def named(self, trace: Trace) -> list[str]:
        """Return the products that were inspected, recommended, or named in full in words, in catalog order."""
        said = [e.data["utterance"] for name in ("assistant", "user") for e in trace.world(name)]
        text = f" {' | '.join(plain(one) for one in said)} "
        found = {event.data["inspected"] for event in trace.world("user")}
        found |= {e.data["recommended"]["product"] for e in trace.world("assistant") if e.data["recommended"]}
        return [one.id for one in self.scene.products if one.id in found or f" {plain(one.name)} " in text]

    def _view(self, data: Mapping[str, Any]) -> str:
        names: dict[str, list[str]] = {"product": [], "place": []}
        for marker in data["markers"]:
            names["product" if marker["kind"] == "product" else "place"].append(self.name(marker["id"]))
        cart = ", ".join(map(self.name, data["cart"])) or "empty"
        held = data["held"]["product"] if data["held"] else data["checked"]
        inspected = f" In hand or just checked: {self.name(held)}." if held else ""
        turn = "At the end" if data["final"] else f"Turn {data['turn']}"
        places, products = (", ".join(names[kind]) or "none" for kind in ("place", "product"))
        return f"{turn}. Places in view: {places}. Products in view: {products}.{inspected} Cart: {cart}."


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {one}" for name, one in value.items()) or "none"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)
