"""Latency of both search interfaces over the embedded 20,000 books, beside rank-bm25 and a plain Python filter."""

import statistics
import time
from functools import partial

from recfw.model.draws import Draws


def percentiles(samples):
    """Return (p50, p95) in milliseconds."""
    ordered = sorted(samples)
    return 1000 * statistics.median(ordered), 1000 * ordered[int(0.95 * len(ordered))]


def timed(function, inputs):
    """Return CPU seconds of each call: what else runs on the machine does not count, and nothing here waits."""
    spent = []
    for given in inputs:
        started = time.process_time()
        function(given)
        spent.append(time.process_time() - started)
    return spent


def search(bench):
    """Keyword and structured search at 20k."""
    from rank_bm25 import BM25Okapi

    from recfw_books.catalog.load import load_catalog
    from recfw_books.search.impact import ImpactRetriever
    from recfw_books.search.structured import Filters, StructuredSearch
    from recfw_books.tools import indexed

    catalog, draws = load_catalog(None), Draws(1, "benchmark")
    items = indexed(catalog)
    impact = ImpactRetriever(ImpactRetriever.Options())
    started = time.perf_counter()
    impact.build(items)
    bench.row("keyword index, build", time.perf_counter() - started, "s", None)
    words = [word for _, fields in items for text in fields.values() for word in text.split()]
    queries = [" ".join(draws.choice(words) for _ in range(draws.between(1, 6))) for _ in range(2000)]
    fast = percentiles(timed(lambda query: impact.search(query, 20), queries))
    peer = BM25Okapi([" ".join(fields.values()).casefold().split() for _, fields in items])
    slow = percentiles(timed(lambda query: peer.get_top_n(query.casefold().split(), items, 20), queries[:40]))
    bench.row(
        "keyword search, p50", fast[0], "ms", ("<=", 1), f"rank-bm25: {slow[0]:.1f} ms, {slow[0] / fast[0]:.0f} x"
    )
    bench.row("keyword search, p95", fast[1], "ms", None, f"rank-bm25: {slow[1]:.1f} ms, {slow[1] / fast[1]:.0f} x")
    structured = StructuredSearch(catalog)
    books = [draws.choice(catalog.books) for _ in range(2000)]
    chosen = [
        Filters(genre=b.genres[0], language=b.language, year_min=b.year - 30, page=1) if n % 2
        else Filters(country=b.country, year_max=b.year, page=1)
        for n, b in enumerate(books)
    ]  # fmt: skip
    fast = percentiles(timed(structured.search, chosen))

    def plain(filters):
        found = [
            b for b in catalog.books
            if (filters.genre is None or filters.genre in b.genres)
            and (filters.language is None or filters.language == b.language)
            and (filters.country is None or filters.country == b.country)
            and (filters.year_min is None or b.year >= filters.year_min)
            and (filters.year_max is None or b.year <= filters.year_max)
        ]  # fmt: skip
        return sorted(found, key=lambda b: (-b.sitelinks, b.id))[:20]

    slow = percentiles(timed(plain, chosen[:200]))
    bench.row(
        "structured search, p50",
        fast[0],
        "ms",
        ("<=", 0.5),
        f"plain Python: {slow[0]:.1f} ms, {slow[0] / fast[0]:.0f} x",
    )
    bench.row(
        "structured search, p95", fast[1], "ms", None, f"plain Python: {slow[1]:.1f} ms, {slow[1] / fast[1]:.0f} x"
    )


def retrievers(bench):
    """Every keyword retriever at 20,000 and 200,000 records, beside bm25s and rank-bm25; equal in order where exact."""
    from recfw_books.catalog.load import load_catalog
    from recfw_books.search.impact import ImpactRetriever
    from recfw_books.search.whoosh_index import WhooshRetriever
    from recfw_books.tools import indexed

    base = indexed(load_catalog(None))
    for copies in (1, 10):
        items = many(base, copies)
        size = f"{len(items) // 1000}k"
        queries = asked(items, 400)
        orders, reference = {}, None
        for name, make, limit in (
            ("impact", partial(ours, ImpactRetriever(), items), 400),
            ("whoosh", partial(ours, WhooshRetriever(), items), 100 if copies == 1 else 25),
            ("bm25s, five indexes summed", partial(with_bm25s, items), 400 if copies == 1 else 100),
            ("rank-bm25", partial(with_rank_bm25, items), 40 if copies == 1 else 5),
        ):
            started = time.process_time()
            find = make()
            built = time.process_time() - started
            p50, p95 = percentiles(timed(find, queries[:limit]))
            orders[name] = [find(query) for query in queries[: min(limit, 25)]]
            reference = reference or orders["impact"]
            same = sum(a == b for a, b in zip(orders[name], reference, strict=False))
            told = f"p95 {p95:.2f} ms, built in {built:.1f} s, {same} of {len(orders[name])} in the default's order"
            bench.row(f"{name} at {size}, p50", p50, "ms", ("<=", 1) if (name, copies) == ("impact", 1) else None, told)


def many(items, copies):
    """Return items several times over, each copy with other ids and its words in another order."""
    found, draws = list(items), Draws(2, "copies")
    for copy in range(1, copies):
        for name, texts in items:
            words = texts["title"].split()
            draws.shuffle(words)
            found.append((f"{name}c{copy}", {**texts, "title": " ".join(words)}))
    return found


def asked(items, count):
    """Return queries of one to six words of the records."""
    words = [word for _, fields in items[:20000] for text in fields.values() for word in text.split()]
    draws = Draws(1, "benchmark")
    return [" ".join(draws.choice(words) for _ in range(draws.between(1, 6))) for _ in range(count)]


def ours(retriever, items):
    """Return how one of recfw's retrievers is asked."""
    import tempfile
    from pathlib import Path

    retriever.build(items, Path(tempfile.mkdtemp()) / "index")
    return lambda query: [hit.id for hit in retriever.search(query, 20)]


def with_bm25s(items):
    """Return how five indexes of bm25s, one a field, are asked together; k1, b, idf as ours (its method "lucene")."""
    import bm25s
    import numpy as np

    from recfw_books.search.terms import query_terms, terms

    ids = np.array([name for name, _ in items])
    order = np.argsort(ids, kind="stable")
    indexes = []
    for field in sorted(items[0][1]):
        index = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
        index.index([terms(items[place][1][field]) for place in order], show_progress=False)
        indexes.append(index)
    ids = ids[order]

    def find(query):
        wanted = query_terms(query)
        if not wanted:
            return []
        scores = sum(index.get_scores(wanted) for index in indexes)
        found = np.flatnonzero(scores > 0)
        best = found[np.lexsort((found, -scores[found]))][:20]
        return ids[best].tolist()

    return find


def with_rank_bm25(items):
    """Return how five indexes of rank-bm25, one a field, are asked together, with its own idf."""
    import numpy as np
    from rank_bm25 import BM25Okapi

    from recfw_books.search.terms import query_terms, terms

    ids = np.array([name for name, _ in items])
    indexes = [
        BM25Okapi([terms(texts[field]) or [""] for _, texts in items], k1=1.2, b=0.75) for field in sorted(items[0][1])
    ]

    def find(query):
        wanted = query_terms(query)
        scores = sum(index.get_scores(wanted) for index in indexes)
        best = np.argsort(-scores, kind="stable")[:20]
        return [ids[place] for place in best if scores[place] > 0]

    return find
