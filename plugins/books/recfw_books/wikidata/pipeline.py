"""From a snapshot to a catalog: the steps of spec section 1 in their order, and an account of each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from attrs import define, field, frozen

from recfw.elicitation.labels import LabelTree
from recfw.errors import DataError, UsageError
from recfw_books.catalog.records import BookCatalog
from recfw_books.catalog.table import read_label_file
from recfw_books.wikidata import steps
from recfw_books.wikidata.corrections import Use, correct
from recfw_books.wikidata.gather import Gathered, gather
from recfw_books.wikidata.items import Item, Work, number
from recfw_books.wikidata.reading import Rows
from recfw_books.wikidata.rules import Rules
from recfw_books.wikidata.steps import Step
from recfw_books.wikidata.tree import label_tree

T = TypeVar("T")

SIZE = 20_000
"""Works of the catalog, where the snapshot has so many (the paper, section 3)."""
_UNMAPPED = 25
"""How many unmapped genres are listed."""


@define
class Account:
    """
    What became of a snapshot.

    Args:
        gathered: Rows and labels: what was left out of them or chosen between.
        steps: Every step in its order.
        corrections: What became of each correction.
        unused_exclusions: Names of the exclusion rules that no work met.
        unmapped: Genres of works without a mapped one -> (label in the rule files or the id, works), the most first.
        labels: Where the label trees come from, in words.
        eligible: Works before the size was cut.
    """

    gathered: Mapping[str, int]
    steps: list[Step] = field(factory=list)
    corrections: Sequence[Use] = ()
    unused_exclusions: Sequence[str] = ()
    unmapped: Mapping[str, int] = field(factory=dict)
    labels: str = ""
    eligible: int = 0


@frozen
class Built:
    """A catalog, and the account of how it was made."""

    catalog: BookCatalog
    account: Account


def build(rows: Rows, rules: Rules, size: int = SIZE, labels: Path | None = None) -> Built:
    """
    Make a catalog from a snapshot's rows; equal rows, rules and sizes give equal catalogs on every machine.

    Args:
        rows: The snapshot.
        rules: Kinds, genres, corrections and exclusions.
        size: The catalog is the first so many works of the shuffled order, or all where there are fewer.
        labels: A file of label trees in place of the snapshot's own.

    Raises:
        UsageError: The size is below 1.
        DataError: No work is left; the sentence tells what became of them.
    """
    if size < 1:
        raise UsageError(f"a catalog of {size} books cannot be built.", "Give a size of 1 or more.")
    gathered = gather(rows.lines)
    account = Account(gathered.counts)
    works = _settled(gathered, rules, account)
    works = _corrected(works, rules, account)
    if not works:
        told = ", ".join(f"{what} {number}" for one in account.steps for what, number in one.dropped.items())
        raise DataError(
            f"no work of the snapshot makes a book ({len(gathered.items)} works; {told or 'none to begin with'}).",
            "Check that it holds the responses of `recfw books fetch`.",
        )
    trees = _trees(works, gathered, labels, account)
    works = _noted(account, steps.shuffle(works))
    works = _noted(account, steps.take(works, size))
    return Built(BookCatalog(tuple(work.book() for work in works), trees), account)


def _noted(account: Account, done: tuple[list[T], Step]) -> list[T]:
    works, step = done
    account.steps.append(step)
    return works


def _settled(gathered: Gathered, rules: Rules, account: Account) -> list[Work]:
    """Run the steps from items to works with one value of each property."""
    classes = steps.Classes(rules.kinds, gathered.parents["class"])
    items = _noted(account, steps.keep_literary(gathered.items, classes))
    items = _noted(account, steps.keep_authored(items))
    items = _noted(account, steps.keep_dated(items))
    items = _noted(account, steps.keep_in_a_language(items))
    items = _noted(account, steps.keep_titled(items))
    account.unmapped = _unmapped(items, rules)
    items = _noted(account, steps.keep_in_a_genre(items, rules.genres))
    items = _noted(account, steps.keep_from_a_country(items))
    items = _noted(account, steps.drop_kinds(items, classes))
    works = _noted(account, steps.settle(items, rules.genres))
    return _noted(account, steps.keep_in_years(works))


def _corrected(works: Sequence[Work], rules: Rules, account: Account) -> list[Work]:
    """Run the steps from duplicates to exclusions; corrected titles and names may make duplicates once more."""
    kept = _noted(account, steps.deduplicate(works))
    kept, step, account.corrections = correct(kept, rules.corrections)
    account.steps.append(step)
    kept = _noted(account, steps.deduplicate(kept, "each corrected title and authors once"))
    kept = _noted(account, steps.exclude(kept, rules.exclusions))
    met = {reason for one in account.steps for reason in one.dropped}
    account.unused_exclusions = [rule.name for rule in rules.exclusions if f"rule {rule.name}" not in met]
    account.eligible = len(kept)
    return kept


def _trees(works: Sequence[Work], gathered: Gathered, labels: Path | None, account: Account) -> Mapping[str, LabelTree]:
    """Return the label trees: of a file, of the snapshot, or the plugin's where the snapshot asked for none."""
    if labels is not None:
        account.labels = "a file that was named"
        return read_label_file(labels)
    if not (gathered.parents["language"] or gathered.parents["country"]):
        account.labels = "the plugin's file for real tables: the snapshot does not say what lies under what"
        return read_label_file(None)
    account.labels = "the snapshot"
    language, languages = label_tree((work.language for work in works), gathered.parents["language"])
    country, countries = label_tree((work.country for work in works), gathered.parents["country"])
    if languages + countries:
        account.labels += f" ({languages + countries} pairs that cover one another left out)"
    return {"language": language, "country": country}


def _unmapped(items: Sequence[Item], rules: Rules) -> Mapping[str, int]:
    """Count the genres of the works that have no mapped one."""
    found = Counter(name for item in items if not any(map(rules.genres.get, item.genres)) for name in item.genres)
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], number(pair[0])))
    return {f"{name} {rules.names.get(name, '')}".rstrip(): count for name, count in ordered[:_UNMAPPED]}
