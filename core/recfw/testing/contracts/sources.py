"""What every catalog and retriever must do."""

from collections.abc import Mapping, Sequence

from recfw.serialize import canonical
from recfw.testing.contracts.base import HOSTILE, Contract


class CatalogContract(Contract):
    """What every catalog must do."""

    def test_ids_are_unique_and_have_items(self) -> None:
        """Ids are unique, come in the same order each time, and each has fields that survive as JSON."""
        catalog = self.make()
        ids = list(catalog.ids())
        assert ids
        assert len(set(ids)) == len(ids)
        assert ids == list(self.make().ids())
        for item in ids[:50]:
            assert canonical(catalog.get(item))

    def test_unknown_ids_have_no_item(self) -> None:
        """An unknown id gives None."""
        assert self.make().get("no such id, ever") is None

    def test_digest_is_stable(self) -> None:
        """The digest is SHA-256 in hex, and the same for two instances."""
        assert self.make().digest == self.make().digest
        assert len(self.make().digest) == 64


class RetrieverContract(Contract):
    """What every retriever must do."""

    def items(self) -> Sequence[tuple[str, Mapping[str, str]]]:
        """Return items to index: (id, field -> text)."""
        words = ("red", "green", "blue", "stone", "river", "night", "song", "glass")
        return [
            (f"id{n:03}", {"title": f"{words[n % 8]} {words[n // 8 % 8]} {words[n // 3 % 8]}", "author": words[n % 5]})
            for n in range(120)
        ]

    def test_finds_the_item_that_has_the_words(self) -> None:
        """A query of an item's own words finds it, best first, with falling scores."""
        retriever = self.make()
        retriever.build(self.items())
        for item, fields in self.items()[::17]:
            hits = list(retriever.search(" ".join(fields.values()), 120))
            assert item in [hit.id for hit in hits]
            assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    def test_ties_are_broken_by_id(self) -> None:
        """Hits of equal score come in the order of their ids."""
        retriever = self.make()
        retriever.build([(item, {"title": "same words"}) for item in ("b", "d", "a", "c")])
        assert [hit.id for hit in retriever.search("same", 10)] == ["a", "b", "c", "d"]

    def test_the_limit_holds(self) -> None:
        """No more hits than asked for; none for a query that matches nothing."""
        retriever = self.make()
        retriever.build(self.items())
        assert len(list(retriever.search("red", 3))) == 3
        assert list(retriever.search("unheardof", 3)) == []
        assert list(retriever.search("", 3)) == []

    def test_any_string_is_a_query(self) -> None:
        """Nothing that a model could send as a query raises."""
        retriever = self.make()
        retriever.build(self.items())
        for text in HOSTILE:
            assert len(list(retriever.search(text, 5))) <= 5

    def test_an_empty_index_answers(self) -> None:
        """An index without items finds nothing."""
        retriever = self.make()
        retriever.build([])
        assert list(retriever.search("red", 5)) == []
