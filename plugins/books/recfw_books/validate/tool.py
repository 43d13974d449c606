"""Rules of the structured tool, run on every satisfiable family and size: no error, right totals, right pages."""

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import field, frozen

from recfw.elicitation.predicates import Op, Predicate
from recfw_books.validate.index import LEGAL_OPS, Index
from recfw_books.validate.subject import Family, Search, Subject, whole_set_rule

PAGE = 20


@frozen
class Query:
    """One call of the tool: what it is asked for, and the books that it must find among the first ``size``."""

    size: int
    filters: dict[str, Any]
    wanted: int = field(repr=False)

    def __str__(self) -> str:
        return f"asked for {self.filters} among {self.size} books, the tool"


@frozen
class Answer:
    """What the tool said: a total and the first page's ids, or the error that it raised."""

    total: int = 0
    page: Sequence[str] = ()
    error: str = ""


def _filter(predicate: Predicate) -> tuple[str, Any]:
    if predicate.field == "year":
        return ("year_min" if predicate.op is Op.GE else "year_max"), predicate.value
    return predicate.field, predicate.value


def queries(family: Family, index: Index) -> Iterator[Query]:
    """
    Yield the calls that ask for a family at each size.

    The tool takes one genre, so a family of two is asked for by each in turn; a family that accepts one format is asked
    for with it and without. What must be found is recomputed for exactly the filters of the call.
    """
    predicates, formats = family.predicates, family.lead.accepted_formats
    others = [p for p in predicates if p.field != "genre"]
    for asked in [[*others, p] for p in predicates if p.field == "genre"] or [others]:
        filters = dict(map(_filter, asked))
        if len(filters) < len(asked) or any(p.op not in LEGAL_OPS.get(p.field, ()) for p in asked):
            continue  # the tool cannot be asked for this; other rules say what is wrong with it
        for size in index.sizes:
            books = index.meeting_all(asked, size)
            yield Query(size, filters, books)
            if formats:
                yield Query(size, {**filters, "formats": list(formats)}, books & index.in_formats(formats))


def _ask(search: Search, query: Query) -> Answer:
    try:
        total, page = search(query.size, dict(query.filters))
    except Exception as error:  # noqa: BLE001 - whatever the tool raises is the finding
        return Answer(error=f"{type(error).__name__}: {error}")
    return Answer(total, page)


def _answers(subject: Subject) -> Iterator[tuple[str, Query, Answer]]:
    if subject.search is None:
        return
    for family in subject.satisfiable:
        for query in queries(family, subject.index):
            yield family.name, query, _ask(subject.search, query)


@whole_set_rule(
    "tool-runs", "The structured tool answers every satisfiable family's filters at every size without error."
)
def tool_runs(subject: Subject) -> Iterator[tuple[str, str]]:
    """Look for errors."""
    for family, query, answer in _answers(subject):
        if answer.error:
            yield family, f"{query} raised {answer.error}"


@whole_set_rule("tool-total", "The structured tool's total is the recomputed number of books that meet its filters.")
def tool_total(subject: Subject) -> Iterator[tuple[str, str]]:
    """Compare totals."""
    for family, query, answer in _answers(subject):
        if not answer.error and answer.total != query.wanted.bit_count():
            yield family, f"{query} counts {answer.total}, not {query.wanted.bit_count()}."


@whole_set_rule(
    "tool-page", "The structured tool's first page holds 20 books (or all), each once, that meet its filters."
)
def tool_page(subject: Subject) -> Iterator[tuple[str, str]]:
    """Compare the first page with the books that must be found."""
    for family, query, answer in _answers(subject):
        if answer.error:
            continue
        page = list(answer.page)
        strangers = [book_id for book_id in page if not subject.index.of((book_id,)) & query.wanted]
        length = min(PAGE, query.wanted.bit_count())
        if strangers:
            yield family, f"{query} returns {strangers[0]}, which does not meet the filters."
        elif len(page) != length or len(set(page)) != length:
            yield (
                family,
                f"{query} returns {len(page)} ids ({len(set(page))} distinct) on its first page, not {length}.",
            )


RULES = (tool_runs, tool_total, tool_page)
