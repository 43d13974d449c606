"""The report of ``recfw situated stats``: a scene's counts beside the paper's, its places, its tags."""

from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from recfw.model.document import Block, Column, Document, Heading, Note, Report, Table
from recfw_situated.scenes.catalog import goods_by_place
from recfw_situated.scenes.load import parts
from recfw_situated.scenes.records import Scene
from recfw_situated.survey.check import problems
from recfw_situated.survey.counts import PAPER, details, totals

Vocabulary = Mapping[str, tuple[str, ...]]


def stats_report(scene: Scene, vocabulary: Vocabulary) -> Report:
    """Return the report of a scene; its figures hold the counts, the paper's, and what a check of the scene found."""
    found = problems(scene)
    figures: dict[str, Any] = {
        "scene": scene.name,
        "counts": {**totals(scene), **details(scene)},
        "paper": dict(PAPER.get(scene.name, {})),
        "problems": found,
        "digest": scene.digest,
    }
    return Report(Document(tuple(_blocks(scene, vocabulary, found))), figures=figures)


def _blocks(scene: Scene, vocabulary: Vocabulary, found: list[str]) -> Iterator[Block]:
    paper = PAPER.get(scene.name, {})
    yield Heading(f"Scene: {scene.title}", 1)
    yield Table(
        (Column("what"), Column("this scene", ",d"), Column("paper", ",d")),
        tuple((what, count, paper.get(what)) for what, count in {**totals(scene), **details(scene)}.items()),
        "counts beside the paper's (table 2 and appendix A.3)",
    )
    yield _places(scene)
    yield _tags(scene, vocabulary)
    prices = sorted(product.price for product in scene.products)
    yield Note(f"Prices: {prices[0]:.2f} to {prices[-1]:,.2f} USD, median {median(prices):,.2f}.")
    yield Note(f"Geometry: {len(parts(scene)):,} solids. Content digest {scene.digest[:16]}.")
    yield Note("Check: " + ("nothing is wrong." if not found else f"{len(found)} problems:\n" + "\n".join(found)))


def _places(scene: Scene) -> Table:
    held = goods_by_place(scene)
    instances = Counter(one.place for one in scene.instances)
    stores = {store.id: store.name for store in scene.stores}
    rows = [(one.name, one.kind, len(held[one.id]), instances[one.id]) for one in scene.fixtures]
    rows += [(one.name, stores[one.store], len(held[one.id]), instances[one.id]) for one in scene.areas]
    columns = (Column("place"), Column("kind or store"), Column("products", ",d"), Column("instances", ",d"))
    return Table(columns, tuple(rows), "what stands where")


def _tags(scene: Scene, vocabulary: Vocabulary) -> Table:
    counts = Counter(tag for product in scene.products for tag in product.tags)
    rows = tuple((facet, ", ".join(f"{tag} {counts[tag]}" for tag in tags)) for facet, tags in vocabulary.items())
    return Table((Column("facet"), Column("tags, with how many products carry each")), rows, "attribute tags")
