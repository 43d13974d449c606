"""The track's metrics as core knows them: the paper's figures, and the counts from which others are pooled."""

from collections.abc import Mapping
from typing import Any, ClassVar

from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import NoOptions
from recfw_situated.metrics.following import following_rate, kind_of, local_alignment
from recfw_situated.metrics.played import Played, read
from recfw_situated.metrics.ranking import cart_ndcg, cart_recall, reference_rank
from recfw_situated.metrics.visibility import HORIZONS, homes_of, visibility

ACTS = (
    "Greet", "AskPreference", "ClarifyNeed", "Navigate", "Recommend", "Explain", "AnswerQuestion", "Compare",
    "HandleRejection", "ConfirmPurchase",
)  # fmt: skip
"""The ten dialogue actions, in the paper's order (appendix B.2)."""


def act_figure(act: str) -> str:
    """Return the figure that counts a dialogue action."""
    return f"act_{act}"


def seen_figure(horizon: int) -> str:
    """Return the figure that counts goals in view by a horizon."""
    return f"goals_seen_{horizon}"


class SituatedFigures:
    """Outcome, navigation and recommendation of one episode (appendix C.1); shares in [0, 1]."""

    name: ClassVar[str] = "situated"
    summary: ClassVar[str] = "purchase and turns, action following and local alignment, rankings against the cart"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    figures: ClassVar[Mapping[str, str]] = {
        "success": "1 where something is in the final cart (SR)",
        "turns": "recorded turns (T)",
        "turns_to_purchase": "recorded turns of an episode with a purchase; None of others",
        "afr": "share of legal suggested actions whose name the user's first call has; None without one",
        "lnsr": "share of comparable suggested actions met in name and local parameters; None without one",
        "recall_at_5": "share of the final cart in a list's first five, mean over saved lists; 0 without cart or list",
        "ndcg_at_10": "NDCG of a list's first ten against the final cart, mean over saved lists; 0 likewise",
        "rpr": "1 where a product of the task's reference set was bought",
        "rpr_given_cart": "the same; None without a purchase",
        "r_mrr_at_10": "1 / rank of a list's first reference product within ten, mean over lists; None without a list",
        "catalog_validity": "share of ranked entries that are products of the catalog; None without an entry",
    }

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return every figure of a finished trial."""
        played, kind = read(trace), kind_of(task)
        reference = frozenset(task.private["reference"])
        bought, turns = bool(played.cart), float(len(played.turns))
        suited = float(not reference.isdisjoint(played.cart))
        entries, known = _entries(played)
        return {
            "success": float(bought),
            "turns": turns,
            "turns_to_purchase": turns if bought else None,
            "afr": following_rate(played.turns, kind),
            "lnsr": local_alignment(played.turns, kind),
            "recall_at_5": cart_recall(played.rankings, played.cart),
            "ndcg_at_10": cart_ndcg(played.rankings, played.cart),
            "rpr": suited,
            "rpr_given_cart": suited if bought else None,
            "r_mrr_at_10": reference_rank(played.rankings, reference),
            "catalog_validity": known / entries if entries else None,
        }


class SituatedConduct:
    """Counts of one episode, which reports pool over episodes: goals and their visibility, dialogue actions, slips."""

    name: ClassVar[str] = "situated-conduct"
    summary: ClassVar[str] = "counts: goals in view by horizon, dialogue actions, spoken labels, refusals"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    figures: ClassVar[Mapping[str, str]] = {
        "goals": "navigation goals with a saved current observation",
        "goals_unresolved": "navigation goals that name no place of the scene, and are left out",
        **{seen_figure(h): f"goals in view within {h} turns after the current one" for h in HORIZONS},
        "goals_seen_end": "goals in view by the end of the episode",
        **{act_figure(act): f"replies of the assistant whose dialogue action is {act}" for act in ACTS},
        "ranked": "entries of all saved lists",
        "ranked_known": "those that are products of the catalog",
        "recommends": "Recommend annotations",
        "unannotated": "products recommended by name in replies that are no Recommend",
        "labels_assistant": "marker labels that the assistant spoke",
        "labels_user": "marker labels that the user spoke",
        "actions_refused": "actions of the user that were refused",
        "neutral_assistant": "turns in which both replies of the assistant were invalid",
        "neutral_user": "turns in which both replies of the user were invalid",
    }

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return every count of a finished trial."""
        played = read(trace)
        seen = visibility(played, homes_of(task))
        acts = [turn.act for turn in played.turns]
        entries, known = _entries(played)
        labels = {"assistant": 0, "user": 0}
        for event in trace.world("violation"):
            labels[event.data["role"]] += len(event.data["labels"])
        said = [turn.said for turn in played.turns if turn.said is not None]
        did = [turn.did for turn in played.turns if turn.did is not None]
        counts: dict[str, int] = {
            "goals": seen.goals,
            "goals_unresolved": seen.unresolved,
            **{seen_figure(h): count for h, count in zip(HORIZONS, seen.seen, strict=True)},
            "goals_seen_end": seen.seen_end,
            **{act_figure(act): acts.count(act) for act in ACTS},
            "ranked": entries,
            "ranked_known": known,
            "recommends": acts.count("Recommend"),
            "unannotated": sum(len(data["unannotated"]) for data in said),
            "labels_assistant": labels["assistant"],
            "labels_user": labels["user"],
            "actions_refused": sum(not data["action"]["allowed"] for data in did),
            "neutral_assistant": sum(bool(data["neutral"]) for data in said),
            "neutral_user": sum(bool(data["neutral"]) for data in did),
        }
        return {name: float(count) for name, count in counts.items()}


def _entries(played: Played) -> tuple[int, int]:
    """Return how many entries all saved lists have, and how many are products of the catalog."""
    known = [flag for turn in played.turns if turn.said is not None for flag in turn.said["known"]]
    return len(known), sum(known)
