"""R@5, NDCG@10, R-MRR@10, RPR and catalog validity on trajectories whose figures were computed by hand."""

from math import log2

import pytest
from trajectories import call, did, episode, neutral, said, task

from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw_situated.metrics.component import SituatedConduct, SituatedFigures
from recfw_situated.metrics.ranking import ndcg, recall, reciprocal_rank

TEN = [f"p{n}" for n in range(1, 11)]


def figures(trace: Trace, of: Task | None = None) -> dict[str, float | None]:
    """Return the figures of an episode."""
    return dict(SituatedFigures().score(of or task(), trace))


def bought(*rankings: list[str], cart: tuple[str, ...] = ("milk",)) -> Trace:
    """Return an episode with a turn for each list, the purchase in the last."""
    events = []
    for turn, ranking in enumerate(rankings, 1):
        last = turn == len(rankings)
        events += [said(turn, ranking=ranking), did(turn, call("add_to_cart"), cart if last else ())]
    return episode(*events, stop="success_cart_added")


def test_lists_are_averaged_within_the_episode() -> None:
    """Milk is third, then absent, then first: R@5 is (1 + 0 + 1) / 3, NDCG (1/2 + 0 + 1) / 3."""
    found = figures(bought(["tea", "oats", "milk"], ["tea"], ["milk"]))
    assert (found["recall_at_5"], found["ndcg_at_10"]) == (pytest.approx(2 / 3), pytest.approx(0.5))


def test_recall_looks_at_five_ndcg_at_ten() -> None:
    """A product in sixth place is out of R@5, and is worth 1 / log2(7) of NDCG."""
    found = figures(bought(["a", "b", "c", "d", "e", "milk"]))
    assert (found["recall_at_5"], found["ndcg_at_10"]) == (0.0, pytest.approx(1 / log2(7)))


def test_nothing_below_the_tenth_place_counts() -> None:
    """The eleventh entry is out of both scores and of the reciprocal rank."""
    long = [*TEN, "milk"]
    assert (recall(long, {"milk"}), ndcg(long, {"milk"}), reciprocal_rank(long, {"milk"})) == (0.0, 0.0, 0.0)


def test_a_repeat_has_credit_once_and_moves_nothing_up() -> None:
    """With bread bought, bread-bread-milk counts bread at 1 and milk still at rank 3."""
    dcg = 1 + 1 / log2(4)
    assert ndcg(["bread", "bread", "milk"], {"bread", "milk"}) == pytest.approx(dcg / (1 + 1 / log2(3)))


def test_a_repeat_keeps_its_place_among_the_five() -> None:
    """Five entries of which two are repeats leave room for three products, and the sixth stays out."""
    assert recall(["a", "a", "b", "b", "c", "milk"], {"milk"}) == 0.0


def test_two_products_bought_share_the_credit() -> None:
    """One of two bought is in the list: R@5 is a half; NDCG has the ideal of two in its denominator."""
    found = figures(bought(["milk"], cart=("milk", "bread")))
    assert (found["recall_at_5"], found["ndcg_at_10"]) == (0.5, pytest.approx(1 / (1 + 1 / log2(3))))


def test_an_empty_list_is_a_list_that_scores_zero() -> None:
    """An empty list beside a perfect one halves both scores and the reciprocal rank."""
    found = figures(bought([], ["milk"]), task(reference=("milk",)))
    assert (found["recall_at_5"], found["ndcg_at_10"], found["r_mrr_at_10"]) == (0.5, 0.5, 0.5)


def test_an_empty_cart_scores_zero() -> None:
    """Whatever was ranked, without a purchase both scores are 0 and not left out."""
    found = figures(episode(said(1, ranking=["milk"]), did(1)))
    assert (found["recall_at_5"], found["ndcg_at_10"]) == (0.0, 0.0)


def test_no_saved_list_scores_zero() -> None:
    """An episode in which every reply was invalid has no list: both are 0, the reciprocal rank is left out."""
    found = figures(episode(neutral(1), did(1, call("add_to_cart"), ("milk",))), task(reference=("milk",)))
    assert (found["recall_at_5"], found["ndcg_at_10"], found["r_mrr_at_10"]) == (0.0, 0.0, None)


def test_a_turn_of_invalid_replies_saves_no_list() -> None:
    """The neutral turn between is no list: the mean is over the one that was saved."""
    trace = episode(said(1, ranking=["milk"]), did(1), neutral(2), did(2, call("add_to_cart"), ("milk",)))
    assert figures(trace)["recall_at_5"] == 1.0


def test_reciprocal_rank_is_of_the_first_reference_product() -> None:
    """Reference products in second and third place give 1/2; none gives 0; the mean is over the lists."""
    trace = episode(said(1, ranking=["tea", "milk", "oats"]), did(1), said(2, ranking=["tea"]), did(2))
    assert figures(trace, task(reference=("oats", "milk")))["r_mrr_at_10"] == 0.25


@pytest.mark.parametrize(("cart", "expected"), [(("milk",), (1.0, 1.0)), (("tea",), (0.0, 0.0)), ((), (0.0, None))])
def test_reference_purchase(cart: tuple[str, ...], expected: tuple[float, float | None]) -> None:
    """RPR is of all episodes, RPR given a cart only of those with a purchase."""
    found = figures(episode(said(1), did(1, call("add_to_cart"), cart)), task(reference=("milk",)))
    assert (found["rpr"], found["rpr_given_cart"]) == expected


def test_catalog_validity_is_of_all_ranked_entries() -> None:
    """Three of four entries of two lists are products: the share is 3/4, and both counts are kept for pooling."""
    trace = episode(said(1, ranking=["milk"]), did(1), said(2, ranking=["?unicorn", "tea", "tea"]), did(2))
    counts = SituatedConduct().score(task(), trace)
    assert (figures(trace)["catalog_validity"], counts["ranked"], counts["ranked_known"]) == (0.75, 4.0, 3.0)


def test_no_entry_has_no_catalog_validity() -> None:
    """Where nothing was ranked the share is left out."""
    assert figures(episode(said(1), did(1)))["catalog_validity"] is None
