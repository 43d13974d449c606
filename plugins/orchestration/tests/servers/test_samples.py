"""Over data in the public formats: every tool answers from the imported sample files."""

import asyncio
import itertools

import pytest

from recfw_orchestration.data.importers.plan import plan
from recfw_orchestration.data.importers.run import import_files
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.clients import open_servers


class Silent:
    """Nobody watches the import."""

    def reading(self, path, done, size, lines):
        pass

    def step(self, name):
        pass


@pytest.fixture(scope="module")
def imported(shared_data, tmp_path_factory):
    """Give a store of the sample files of all three domains."""
    tools, store = shared_data / "tools", tmp_path_factory.mktemp("samples") / "samples.db"
    files = {name: (tools / name,) for name in ("amazon", "yelp", "foursquare")}
    import_files(plan(files), store, Silent(), skip_broken=True)
    data = Data.open(store)
    yield data
    data.close()


def calls_over(data):
    """Return a call of every tool with ids, users and categories that the store has."""
    products, places, venues = (data.item_ids(domain) for domain in ("electronics", "local", "places"))
    shopper, diner, visitor = (
        next((user for user in data.user_ids(domain)), "nobody") for domain in ("electronics", "local", "places")
    )
    one, spot = data.business(places[0]), data.venue(venues[0])
    word = data.product(products[0]).title.split()[0]
    return {
        "search_products": {"query": word},
        "get_product_details": {"item_ids": products[:50]},
        "find_similar_products": {"item_id": products[0], "basis": "content"},
        "get_product_reviews": {"item_id": products[0], "sort": "critical"},
        "analyze_product_sentiment": {"item_ids": products[:50], "aspect": "battery"},
        "search_product_reviews": {"phrase": "good"},
        "filter_products_by_rating": {"item_ids": products[:50], "min_rating": 1},
        "get_product_rating_stats": {"item_ids": products[:50]},
        "get_shopper_history": {"user_id": shopper},
        "recommend_products": {"user_id": shopper},
        "rank_products_for_user": {"user_id": shopper, "item_ids": products[:5]},
        "search_businesses": {"query": one.category, "city": one.city},
        "get_business_details": {"item_ids": places[:50]},
        "check_open": {"item_ids": places[:50], "local_time": "2019-03-04T12:00"},
        "get_business_reviews": {"item_id": places[0], "sort": "recent"},
        "analyze_business_sentiment": {"item_ids": places[:50], "aspect": "food"},
        "get_business_tips": {"item_id": places[0]},
        "filter_businesses_by_rating": {"item_ids": places[:50], "min_rating": 1},
        "get_business_rating_stats": {"item_ids": places[:50]},
        "get_diner_history": {"user_id": diner},
        "recommend_businesses": {"user_id": diner},
        "rank_businesses_for_user": {"user_id": diner, "item_ids": places[:5]},
        "find_businesses_nearby": {"lat": one.lat, "lon": one.lon, "radius_km": 25},
        "measure_business_distances": {"origin_id": places[0], "item_ids": places[:50]},
        "search_venues": {"category": spot.category, "city": spot.city},
        "get_venue_details": {"item_ids": venues[:50]},
        "get_checkin_history": {"user_id": visitor},
        "recommend_venues": {"user_id": visitor, "hour": 12, "weekday": "Monday"},
        "find_venues_nearby": {"lat": spot.lat, "lon": spot.lon, "radius_km": 25},
        "rank_venues_by_route": {"from_lat": spot.lat, "from_lon": spot.lon, "item_ids": venues[:50]},
        "web_search": {"query": word},
        "read_page": {"page_id": data.search_pages(word)[0][0][0].page_id},
    }


def test_every_tool_answers_from_imported_data(imported):
    """No error, results that fit their schemas, and hardly an empty one."""
    calls = calls_over(imported)

    async def main():
        async with open_servers(imported) as desk:
            outcomes = {tool: await desk.call(tool, arguments, 30) for tool, arguments in calls.items()}
            names = [tool.name for tool in desk.tools()]
        return outcomes, names

    outcomes, names = asyncio.run(main())
    errors = {tool: outcome.text for tool, outcome in outcomes.items() if outcome.is_error}
    empty = [tool for tool, outcome in outcomes.items() if outcome.content and outcome.content.get("items") == []]
    assert (errors, sorted(outcomes) == sorted(names), len(empty) <= 4) == ({}, True, True), empty


def test_lists_are_in_the_order_that_their_values_say(imported):
    """Best score first, nearest first; equal ones by id."""
    calls = calls_over(imported)
    keys = {"find_similar_products": "score", "recommend_venues": "score", "find_venues_nearby": "distance_km"}

    async def main():
        async with open_servers(imported) as desk:
            return {tool: (await desk.call(tool, calls[tool], 30)).content["items"] for tool in keys}

    for tool, items in asyncio.run(main()).items():
        sign = 1 if keys[tool] == "distance_km" else -1
        ranks = [(sign * item[keys[tool]], item["item_id"]) for item in items]
        assert [pair for pair in itertools.pairwise(ranks) if pair[0] > pair[1]] == [], tool
