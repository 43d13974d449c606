"""Sentiment by lexicon: sentences, negations, aspects, counts of reviews."""

import pytest

from recfw_orchestration.data.records import Sentiment
from recfw_orchestration.data.sentiment import aspects_of, lexicon, weigh
from recfw_orchestration.world.wheel import phrases

SAID = {
    "praise": ("The battery is great.", "battery", (1, 0, 1)),
    "blame": ("The battery is terrible.", "battery", (0, 1, 1)),
    "mention": ("It has a battery.", "battery", (0, 0, 1)),
    "another aspect's praise": ("The sound is great. It has a battery.", "battery", (0, 0, 1)),
    "no mention": ("The sound is great.", "battery", (0, 0, 0)),
    "negated praise": ("The battery is not very good.", "battery", (0, 1, 1)),
    "negated blame": ("No problem with the battery.", "battery", (1, 0, 1)),
    "negation out of reach": ("Not that I care at all, great battery.", "battery", (1, 0, 1)),
    "negation of the sentence before": ("It is not. Great battery.", "battery", (1, 0, 1)),
    "contraction": ("The battery isn't bad.", "battery", (1, 0, 1)),
    "any word": ("The hinge broke.", "hinge", (0, 1, 1)),
    "all": ("Great sound. Great screen. Poor battery.", None, (1, 0, 1)),
    "empty": ("", None, (0, 0, 0)),
}


@pytest.mark.parametrize(("text", "aspect", "counts"), SAID.values(), ids=SAID)
def test_review_leans_by_its_words(text, aspect, counts):
    """A review counts as positive, negative or as a mention, by the sentences that speak of the aspect."""
    found = weigh([text], aspect, "electronics")
    assert counts == (found.positive, found.negative, found.n_reviews)


def test_score_is_the_share_of_praise_less_that_of_blame():
    """Three of four reviews that mention an aspect praise it, one blames it: 0.5."""
    said = ["Great battery."] * 3 + ["Awful battery.", "Nice sound."]
    assert Sentiment(0.5, 3, 1, 4) == weigh(said, "battery", "electronics")


def test_no_word_both_praises_and_blames():
    """Polar words have one sign."""
    words = lexicon().polarity
    assert {1, -1} == set(words.values())


@pytest.mark.parametrize("domain", ["electronics", "local"])
def test_every_phrase_of_the_world_leans_as_it_means(domain):
    """What the world's people write of an aspect is understood: praise leans up, blame down, a mention nowhere."""
    wrong = []
    for key, sentences in phrases()[domain].items():
        aspect, sign = key[:-1], {"+": 1, "-": -1, "0": 0}.get(key[-1])
        for sentence in sentences:
            if sign is None or aspect not in aspects_of(domain):
                continue
            found = weigh([sentence.replace("{praised}", "dish")], aspect, domain)
            if (found.positive - found.negative, found.n_reviews) != (sign, 1):
                wrong.append((key, sentence))
    assert [] == wrong
