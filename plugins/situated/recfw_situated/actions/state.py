"""The interaction state of an episode: what is held, what was just checked, what is in the cart, and its facts."""

from typing import Any

from attrs import define, field

from recfw_situated.scenes.records import Product, Scene


@define
class Interaction:
    """
    What the user has to do with products.

    Args:
        scene: The scene's records.
        held: Instance in the hand, or empty (supermarket).
        checked: Instance that was just checked, or empty (furnishings).
        cart: Instances that were added, in order.
    """

    scene: Scene
    held: str = ""
    checked: str = ""
    cart: list[str] = field(factory=list)

    def product(self, instance: str) -> Product | None:
        """Return an instance's product; None of none."""
        return self.scene.product_by_id[self.scene.instance_by_id[instance].product] if instance else None

    def told(self) -> dict[str, Any]:
        """Return the state by product ids, as the trace holds it."""
        held, checked = self.product(self.held), self.product(self.checked)
        return {
            "held": {"instance": self.held, "product": held.id} if held else None,
            "checked": checked.id if checked else None,
            "cart": [self.scene.instance_by_id[instance].product for instance in self.cart],
        }

    def names(self) -> dict[str, Any]:
        """Return the state by display names, as the assistant is told it."""
        held, checked = self.product(self.held), self.product(self.checked)
        return {
            "held": held.name if held else None,
            "checked": checked.name if checked else None,
            "cart": [self.scene.product_by_id[one].name for one in self.told()["cart"]],
        }


def facts_of(product: Product | None) -> dict[str, Any] | None:
    """Return what inspection reveals of a product: all of its record but its id and its place; None of none."""
    if product is None:
        return None
    return {
        "name": product.name,
        "category": product.category,
        "price": product.price,
        "tags": list(product.tags),
        "attributes": dict(product.attributes),
    }
