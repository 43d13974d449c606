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
    """Offer the reference agents of the paper, and those that show what a user beyond it measures."""
    from recfw_books.agents.eliminating import Eliminating
    from recfw_books.agents.frugal import Frugal
    from recfw_books.agents.insistent import Insistent
    from recfw_books.agents.no_ask import NoAsk
    from recfw_books.agents.pleasing import Pleasing
    from recfw_books.agents.popularity import Popularity
    from recfw_books.agents.unheeding import Unheeding

    return (Eliminating, Frugal, Insistent, NoAsk, Pleasing, Popularity, Unheeding)


@hookimpl
def recfw_register_users() -> Iterable[type[protocols.UserSimulator]]:
    """Offer the rule-based users: ``books-rules`` of the paper, and three that it names as what comes next."""
    from recfw_books.user.rules import BooksCostly, BooksCritiquing, BooksRules, BooksSoft

    return (BooksRules, BooksCritiquing, BooksCostly, BooksSoft)


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
    """Offer the metrics ``books-success`` and ``books-manners``."""
    from recfw_books.metrics import BooksSuccess
    from recfw_books.metrics_manners import BooksManners

    return (BooksSuccess, BooksManners)


@hookimpl
def recfw_register_analyses() -> Iterable[type[protocols.Analysis]]:
    """Offer the analyses ``books-reference`` and ``books-paper``."""
    from recfw_books.analysis.books_paper import BooksPaper
    from recfw_books.analysis.reference import BooksReference

    return (BooksReference, BooksPaper)


@hookimpl
def recfw_register_commands() -> Iterable[protocols.CommandRef]:
    """Offer ``recfw books``."""
    from recfw.protocols import CommandRef

    summary = "Build, generate, validate and inspect books catalogs and tasks."
    return (CommandRef("books", summary, "recfw_books.cli:books"),)
