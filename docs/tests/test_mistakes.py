"""The page of typical mistakes shows what is seen when they are made."""

import re

import build_mistakes
import pytest
from pages import ROOT

PAGE = ROOT / "docs" / "reference" / "mistakes.md"
FLAGS = re.MULTILINE | re.DOTALL


@pytest.mark.timeout(300)
def test_every_mistake_is_answered_as_the_page_says(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of the page is typed in an empty folder with one stored run, and prints what stands there."""
    monkeypatch.setenv("PATH", path)
    assert build_mistakes.page() == PAGE.read_text(encoding="utf-8")


def test_ten_mistakes_are_refused_with_a_next_step() -> None:
    """At least ten mistakes are shown, none with status 0 or a traceback, and each error ends as a sentence."""
    blocks = re.findall(r"^```console\n\$ recfw (.*?)\n(.*?)\[(\d+)\]\n```", PAGE.read_text("utf-8"), FLAGS)
    assert len(blocks) >= 10
    assert [] == [words for words, said, status in blocks if status == "0" or "Traceback" in said]
    assert [] == [words for words, said, _ in blocks if not re.search(r"(\.|\?|plugins/\w+)\n\Z", said)]
