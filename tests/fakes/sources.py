"""A fake catalog, retriever and judge: the smallest things that satisfy their protocols."""

import hashlib

from recfw.model.score import Score
from recfw.protocols import Catalog, Hit, Judge, NoOptions, Retriever

COLOURS = {"red": {"hex": "f00"}, "green": {"hex": "0f0"}, "blue": {"hex": "00f"}}


class ColourCatalog(Catalog):
    """Three colours."""

    name, Options = "fake-colours", NoOptions

    def __init__(self, options):
        self.options = options

    def ids(self):
        return tuple(COLOURS)

    def get(self, item):
        return COLOURS.get(item)

    @property
    def digest(self):
        return hashlib.sha256(repr(COLOURS).encode()).hexdigest()


class WordRetriever(Retriever):
    """Counts the query's words that an item has."""

    name, Options = "fake-words", NoOptions

    def __init__(self, options):
        self.items = []

    def build(self, items, cache=None):
        self.items = [(item, set(" ".join(fields.values()).split())) for item, fields in items]

    def search(self, query, limit):
        wanted = set(query.split())
        hits = [Hit(item, float(len(words & wanted))) for item, words in self.items if words & wanted]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


class BrevityJudge(Judge):
    """Rates a trace by how few replies it took."""

    name, Options, identity = "fake-brevity", NoOptions, "fake-brevity@1"

    def __init__(self, options):
        self.options = options

    async def judge(self, task, trace):
        replies = len(trace.replies("agent"))
        return [Score("brevity", 1.0 / replies if replies else None, self.identity)]
