"""Latency of both search interfaces over the embedded 20,000 books, beside rank-bm25 and a plain Python filter."""

import statistics
import time

from recfw.model.draws import Draws


def percentiles(samples):
    """Return (p50, p95) in milliseconds."""
    ordered = sorted(samples)
    return 1000 * statistics.median(ordered), 1000 * ordered[int(0.95 * len(ordered))]


def timed(function, inputs):
    """Return seconds of each call."""
    spent = []
    for given in inputs:
        started = time.perf_counter()
        function(given)
        spent.append(time.perf_counter() - started)
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
