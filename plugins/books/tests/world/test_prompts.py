"""The agent's prompts: what each adds, the ablation of the field list, and the hash by which traces name them."""

from itertools import pairwise

import pytest

from recfw.errors import UsageError
from recfw_books.prompts import names, prompt_hash, system_prompt
from recfw_books.track import BooksOptions, BooksTrack


def test_each_prompt_adds_to_the_one_before() -> None:
    """The base prompt begins all; ask, ask-and-verify and protocol each say more."""
    texts = [system_prompt(name, "structured") for name in ("base", "ask", "ask-and-verify", "protocol")]
    assert tuple(names()) == ("base", "ask", "ask-and-verify", "protocol")
    assert all(later.startswith(earlier) and later != earlier for earlier, later in pairwise(texts))
    assert all("{" not in text for text in texts)


def test_only_protocol_tells_what_answers_mean() -> None:
    """The base prompt says neither that a rejection means a failed requirement nor that a decline hides one."""
    for name in ("base", "ask", "ask-and-verify"):
        assert "keeps back" not in system_prompt(name, "keyword")
    assert "keeps back" in system_prompt("protocol", "keyword")


def test_the_field_list_is_an_ablation_of_the_keyword_prompt() -> None:
    """It adds the fields to the keyword prompt, and is refused where the structured tool lists them already."""
    plain, listed = (system_prompt("base", "keyword", fields=fields) for fields in (False, True))
    assert "country of origin, year of publication, popularity" not in plain
    assert "country of origin, year of publication, popularity" in listed
    with pytest.raises(UsageError, match="keyword interface"):
        system_prompt("base", "structured", fields=True)


def test_an_unknown_prompt_is_refused_with_the_closest() -> None:
    """A misspelt name is told with those there are."""
    with pytest.raises(UsageError, match="Did you mean 'protocol'"):
        system_prompt("protocl", "keyword")


def test_prompts_are_part_of_the_content() -> None:
    """Runs with different prompts are of different content, and the hash tells prompts apart."""
    made = [BooksTrack(BooksOptions(interface="keyword", prompt=name)).content_digest() for name in names()]
    made.append(BooksTrack(BooksOptions(interface="keyword", field_list=True)).content_digest())
    assert len(set(made)) == 5
    assert len({prompt_hash(system_prompt(name, "keyword")) for name in names()}) == 4
