"""What the tasks must satisfy, rule by rule."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "bank": "25 profiles a scene, each with four tasks, in the bank's order; in a store of one's own up to four",
    "target": "the target is a product of the scene that stands somewhere in it",
    "category": "every category is one of the scene's, and the target is of one of them",
    "labels": "every label that is wished for or not wanted is a tag of some product; there is at least one wish",
    "conflict": "no label is both wished for and not wanted, or named twice",
    "target-fits": "the target has every wish and no unwanted feature",
    "budget": "the budget is what the tier makes of the prices, and above the target's price",
    "reference": "the reference set is exactly what meets labels and budget, and holds the target",
    "disclosure": "every detail is told in order exactly once: opening, budget, unwanted features, needs",
    "words": "the request and all words are there, and none names the target or its price",
    "levels": "budget tier and acceptance fit the profile's settings",
    "background": "the background does not contradict itself",
    "coverage": "the targets of a profile are different products, not all in one place; of a bank that ships, of three "
    "categories and places at least, for four uses",
    "subset": "the tasks of a profile are in different subsets, dealt by the paper's seed",
}
"""Rule -> what it demands."""
