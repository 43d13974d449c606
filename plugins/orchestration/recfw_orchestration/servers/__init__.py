"""The 13 MCP servers and what each is for: a table without the SDK; a server's module is imported when it is built."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from attrs import frozen

from recfw_orchestration.data.records import Domain

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from recfw_orchestration.data.store import Data


@frozen
class ServerSpec:
    """
    One server.

    Args:
        name: As clients and ``recfw orchestration serve`` call it.
        domain: Whose items it knows; None: all.
        capability: What it does, one of the paper's capabilities or ``web search``.
        tools: Names of its tools, in order.
    """

    name: str
    domain: Domain | None
    capability: str
    tools: tuple[str, ...]

    def build(self, data: "Data") -> "MCPServer[Any]":
        """Return the server over a store."""
        module = import_module(f"{__name__}.{self.name.replace('-', '_')}")
        server: MCPServer[Any] = module.build(data)
        return server


_ALL = (
    ServerSpec(
        "amazon-catalog",
        "electronics",
        "retrieval",
        ("search_products", "get_product_details", "find_similar_products"),
    ),
    ServerSpec(
        "amazon-reviews",
        "electronics",
        "review and sentiment",
        ("get_product_reviews", "analyze_product_sentiment", "search_product_reviews"),
    ),
    ServerSpec(
        "amazon-ratings",
        "electronics",
        "rating filter",
        ("filter_products_by_rating", "get_product_rating_stats"),
    ),
    ServerSpec(
        "amazon-recommender",
        "electronics",
        "personalised recommendation",
        ("get_shopper_history", "recommend_products", "rank_products_for_user"),
    ),
    ServerSpec("yelp-catalog", "local", "retrieval", ("search_businesses", "get_business_details", "check_open")),
    ServerSpec(
        "yelp-reviews",
        "local",
        "review and sentiment",
        ("get_business_reviews", "analyze_business_sentiment", "get_business_tips"),
    ),
    ServerSpec("yelp-ratings", "local", "rating filter", ("filter_businesses_by_rating", "get_business_rating_stats")),
    ServerSpec(
        "yelp-recommender",
        "local",
        "personalised recommendation",
        ("get_diner_history", "recommend_businesses", "rank_businesses_for_user"),
    ),
    ServerSpec("yelp-geo", "local", "geospatial", ("find_businesses_nearby", "measure_business_distances")),
    ServerSpec("foursquare-venues", "places", "retrieval", ("search_venues", "get_venue_details")),
    ServerSpec(
        "foursquare-recommender",
        "places",
        "personalised recommendation",
        ("get_checkin_history", "recommend_venues"),
    ),
    ServerSpec("foursquare-geo", "places", "geospatial", ("find_venues_nearby", "rank_venues_by_route")),
    ServerSpec("web-search", None, "web search", ("web_search", "read_page")),
)

SERVERS: Mapping[str, ServerSpec] = {spec.name: spec for spec in _ALL}


def tools_of(domain: Domain) -> Sequence[str]:
    """Return the tools that a task of a domain offers: those of its servers, and web search."""
    return tuple(tool for spec in _ALL if spec.domain in (domain, None) for tool in spec.tools)
