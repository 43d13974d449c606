"""Server ``amazon-catalog``: finds electronics by words, by id and by likeness."""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from recfw_orchestration.data.records import Item, Product
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.arguments import (
    Basis,
    Brand,
    Category,
    ItemId,
    ItemIds,
    Limit,
    MaxPrice,
    MinPrice,
    Query,
)
from recfw_orchestration.servers.lookup import (
    MOST_RANKED,
    Lookup,
    asked,
    in_category,
    in_order,
    listed,
    pairs,
    product,
    rounded,
)
from recfw_orchestration.servers.results import Listed, ProductDetails, ProductHit
from recfw_orchestration.servers.strict import StrictServer


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = AmazonCatalog(data)
    tools = (own.search_products, own.get_product_details, own.find_similar_products)
    return StrictServer("amazon-catalog", "Find electronics: by words, by id, by likeness to one product.", tools, data)


class AmazonCatalog:
    """The tools of ``amazon-catalog``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "electronics")

    def search_products(
        self,
        query: Query,
        category: Category = None,
        brand: Brand = None,
        min_price: MinPrice = None,
        max_price: MaxPrice = None,
        limit: Limit = 10,
    ) -> Listed[ProductHit]:
        """Search electronics by words in title, brand, category and description; the best match first.

        A price bound leaves out products without a known price.
        """
        if min_price is not None and max_price is not None and min_price > max_price:
            raise ToolError(f"min_price ({min_price:g}) is above max_price ({max_price:g}). Swap them or drop one.")
        wanted, maker = self._lookup.category(category), brand.strip().casefold() if brand else None

        def keep(item: Item) -> bool:
            one = product(item)
            return (
                in_category(one, wanted)
                and (maker is None or one.brand.casefold() == maker)
                and (min_price is None or (one.price is not None and one.price >= min_price))
                and (max_price is None or (one.price is not None and one.price <= max_price))
            )

        bare = wanted is None and maker is None and min_price is None and max_price is None
        found, total = self._data.search("electronics", asked(query), None if bare else keep, limit)
        return listed([self._hit(item_id, score) for item_id, score in in_order(found)], limit, total)

    def get_product_details(self, item_ids: ItemIds) -> Listed[ProductDetails]:
        """Give all that is known of products except ratings and reviews, in the order asked."""
        return listed([_details(product(item)) for item in self._lookup.items(item_ids)], len(item_ids))

    def find_similar_products(self, item_id: ItemId, basis: Basis, limit: Limit = 10) -> Listed[ProductHit]:
        """List products like one product, the most alike first; the product itself is left out."""
        self._lookup.item(item_id)
        found = in_order(self._data.similar("electronics", item_id, basis, MOST_RANKED))
        return listed([self._hit(near, score) for near, score in found[:limit]], limit, len(found))

    def _hit(self, item_id: str, score: float) -> ProductHit:
        return product_hit(product(self._lookup.item(item_id)), score)


def product_hit(one: Product, score: float) -> ProductHit:
    """Return a product as lists show it."""
    return {
        "item_id": one.item_id,
        "name": one.title,
        "brand": one.brand,
        "category": one.category,
        "price": None if one.price is None else rounded(one.price),
        "score": score,
    }


def _details(one: Product) -> ProductDetails:
    return {
        "item_id": one.item_id,
        "name": one.title,
        "brand": one.brand,
        "category": one.category,
        "categories": list(one.categories),
        "price": None if one.price is None else rounded(one.price),
        "description": one.description,
        "features": list(one.features),
        "details": pairs(one.details),
    }
