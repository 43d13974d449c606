"""Learning the matcher's weights: the same turns give the same, for all fields at once, and the command."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from recfw.errors import DataError
from recfw_books.cli.learn import learn_command
from recfw_books.cli.turns import read_turns
from recfw_books.user.learning import examples, held_out, learn
from recfw_books.user.lexicon import FIELDS
from recfw_books.user.ruled import ruled
from recfw_books.user.score import Labelled, batch_table, shares
from recfw_books.user.signs import signs_of
from recfw_books.user.turns import sentences
from recfw_books.user.weights import decide, packaged, read_weights, together, write_weights

FIXTURES = Path(__file__).parents[4] / "fixtures"
TURNS = tuple(sorted(FIXTURES.glob("books_turns_develop*.jsonl")))
ASKS = ("Which {} would you like?", "Tell me the {}, please.", "Any {}?")
TELLS = ("I've noted the {}.", "The {} is fine.", "I'll check the {} now.")
OPENS = ("Anything else?", "What else?", "Any other wishes?", "Tell me more.")


def small(noun: str = "{}") -> list[Labelled]:
    """Return a few dozen turns in two batches, about every field but the format."""
    turns = []
    for batch in ("1", "2"):
        for name in FIELDS[:-1]:
            word = noun.format(name)
            turns += [Labelled(f"{batch}{t}{name}", t.format(word), frozenset({name}), False, batch) for t in ASKS]
            turns += [Labelled(f"{batch}{t}{name}", t.format(word), frozenset(), False, batch) for t in TELLS]
        turns += [Labelled(f"{batch}{t}", t, frozenset(FIELDS), True, batch) for t in OPENS]
    return turns


def said(text: str, weights: dict[str, dict[str, int]]) -> frozenset[str]:
    """Return what weights make of a text."""
    parts = sentences(text)
    return decide(tuple(signs_of(parts, ruled(parts))), weights)


def test_what_is_learned_of_some_fields_holds_for_another() -> None:
    """Signs see a field as the one in question, so a format is asked about in words learned from the other four."""
    weights = learn(examples(small()))
    assert [said(text.format("format"), weights) for text in (ASKS[0], TELLS[0])] == [{"format"}, set()]


@pytest.mark.parametrize("turns", [[], [Labelled("1", "...", frozenset(), False, "1")]], ids=["none", "wordless"])
def test_turns_without_a_sentence_teach_nothing(turns: list[Labelled]) -> None:
    """That is said, with what to do about it."""
    with pytest.raises(DataError, match=r"nothing can be learned: no turn has a sentence\. Give labelled turns\."):
        learn(examples(turns))


def test_an_open_request_is_learned_as_one() -> None:
    """It asks about every field, though nothing is learned of the single ones from it."""
    assert said("What else?", learn(examples(small()))) == set(FIELDS)


def test_the_same_turns_give_the_same_bytes() -> None:
    """Learned twice, weights are equal to the byte, and they read back as they were written."""
    first, second = (write_weights(learn(examples(small()))) for _ in range(2))
    assert first == second
    assert read_weights(first) == learn(examples(small()))


def test_a_batch_held_out_is_judged_by_weights_learned_without_it() -> None:
    """Turns whose batch alone labels them otherwise are judged by what the others say."""
    odd = [Labelled(f"3{text}", text, frozenset(), False, "3") for text in OPENS]
    by_rules, by_matcher = held_out(examples([*small(), *odd]), 3)
    assert [each.found for each in by_matcher if each.turn.batch == "3"] == [frozenset(FIELDS)] * len(odd)
    assert len(by_rules) == len(by_matcher) == len(small()) + len(odd)


def test_the_table_of_batches_holds_each_judges_shares() -> None:
    """Four shares of the rules and four of the matcher, the same as of all turns together."""
    by_rules, by_matcher = held_out(examples(small()), 2)
    table = batch_table({"rules": by_rules, "matcher": by_matcher})
    wanted = [share.rate for found in (by_rules, by_matcher) for share in shares(found)[:4]]
    assert [row[4] for row in table.rows] == wanted


def test_sentences_are_worth_about_the_most_of_them() -> None:
    """One sentence counts as it is; of two equal ones the worth is by ln 2 more."""
    assert [round(together(worths)) for worths in ([-300], [100, 100], [500, -900])] == [-300, 169, 500]


def test_many_sentences_are_worth_no_more_than_two() -> None:
    """A long turn does not ask because each of its sentences might."""
    assert together([-300] * 500) == together([-300, -300])


def test_the_shipped_weights_are_small() -> None:
    """They take less than 100 kB and know each table."""
    assert len(write_weights(packaged())) < 100_000
    assert set(packaged()) == {"open", "field", "named", "before", "earlier", *FIELDS}


@pytest.mark.slow
def test_the_shipped_weights_are_those_that_the_develop_turns_give() -> None:
    """Learned again from the fixtures, they are the same to the byte (uncompressed)."""
    learned = write_weights(learn(examples([turn for path in TURNS for turn in read_turns(path)])))
    assert gzip.decompress(learned) == gzip.decompress(write_weights(packaged()))


def test_the_command_writes_weights(tmp_path: Path) -> None:
    """It says how many signs it kept, and the file holds them."""
    turns = tmp_path / "turns.jsonl"
    turns.write_text('{"text": "Genre?", "fields": ["genre"], "batch": 1}\n' * 6, encoding="utf-8")
    result = CliRunner().invoke(learn_command, [str(turns), "--out", str(tmp_path / "w.tsv.gz")])
    signs = sum(map(len, read_weights((tmp_path / "w.tsv.gz").read_bytes()).values()))
    assert (result.exit_code, result.output.rstrip()) == (0, f"{tmp_path / 'w.tsv.gz'}: {signs} signs from 6 turns.")


@pytest.mark.parametrize("arguments", [[], ["--errors", "--out", "w"]])
def test_the_command_wants_something_to_do(arguments: list[str], tmp_path: Path) -> None:
    """Without --out and --held-out there is nothing to do, and --errors lists those of batches held out."""
    assert CliRunner().invoke(learn_command, [str(tmp_path), *arguments]).exit_code == 2
