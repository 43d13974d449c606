"""What recfw-books offers: the entry point's module. Classes are imported only when a hook is called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from recfw.hookspecs import hookimpl

if TYPE_CHECKING:
    from recfw import protocols


@hookimpl
def recfw_register_tracks() -> Iterable[type[protocols.Track]]:
    """Offer the track ``books``."""
    from recfw_books.track import BooksTrack

    return (BooksTrack,)


@hookimpl
def recfw_register_agents() -> Iterable[type[protocols.Agent]]:
    """Offer the reference agents ``popularity``, ``eliminating`` and ``no-ask``."""
    from recfw_books.agents.eliminating import Eliminating
    from recfw_books.agents.no_ask import NoAsk
    from recfw_books.agents.popularity import Popularity

    return (Eliminating, NoAsk, Popularity)


@hookimpl
def recfw_register_users() -> Iterable[type[protocols.UserSimulator]]:
    """Offer the rule-based user ``books-rules``."""
    from recfw_books.user.rules import BooksRules

    return (BooksRules,)


@hookimpl
def recfw_register_catalogs() -> Iterable[type[protocols.Catalog]]:
    """Offer the catalog ``books``, to any track."""
    from recfw_books.catalog.component import BooksCatalog

    return (BooksCatalog,)


@hookimpl
def recfw_register_retrievers() -> Iterable[type[protocols.Retriever]]:
    """Offer the keyword indexes ``impact`` and ``whoosh``."""
    from recfw_books.search.impact import ImpactRetriever
    from recfw_books.search.whoosh_index import WhooshRetriever

    return (ImpactRetriever, WhooshRetriever)


@hookimpl
def recfw_register_metrics() -> Iterable[type[protocols.Metric]]:
    """Offer the metric ``books-success``."""
    from recfw_books.metrics import BooksSuccess

    return (BooksSuccess,)


@hookimpl
def recfw_register_analyses() -> Iterable[type[protocols.Analysis]]:
    """Offer the analysis ``books-reference``."""
    from recfw_books.analysis.reference import BooksReference

    return (BooksReference,)


@hookimpl
def recfw_register_commands() -> Iterable[protocols.CommandRef]:
    """Offer ``recfw books``."""
    from recfw.protocols import CommandRef

    summary = "Build, generate, validate and inspect books catalogs and tasks."
    return (CommandRef("books", summary, "recfw_books.cli:books"),)
