"""Scoring stored traces anew with the metrics that are installed here; nothing is played for it."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import Factory, define

from recfw.engine.scoring import metrics_of, score_metrics, scorer_identity
from recfw.errors import DataError
from recfw.model.results import RunInfo
from recfw.model.run import TrialKey
from recfw.model.score import Score
from recfw.protocols import Metric
from recfw.registry import Registry
from recfw.serialize import plain, unpack_trace
from recfw.store.repository import Store
from recfw.submission.figures import apart

SHOWN = 5
"""Differences that are kept in words; the others are counted."""


@define
class Rescored:
    """
    What scoring anew came to.

    Args:
        trials: Completed trials whose scores were computed anew.
        differing: How many of them have another score, or could not be scored.
        examples: The first of these, in words.
        others: Scorers that are not installed here in that version -> how many scores they gave; judges among them.
    """

    trials: int = 0
    differing: int = 0
    examples: list[str] = Factory(list)
    others: Counter[str] = Factory(Counter)


def rescore(store: Store, run: RunInfo, registry: Registry, step: Callable[[], None] = lambda: None) -> Rescored:
    """
    Score every completed trial of a run anew, one after the other.

    Args:
        store: Where the run is.
        run: The run.
        registry: Where the track and its metrics are found.
        step: Is called after each.

    Raises:
        RecfwError: The track or a metric is not installed, or cannot be made.
    """
    metrics = metrics_of(registry, registry.find("tracks", run.spec.track))
    tasks = {cell.name: store.tasks(run.id, cell.name) for cell in run.spec.cells}
    found = Rescored()
    for key in sorted(store.done_keys(run.id)):
        if key.cell not in tasks or key.task not in tasks[key.cell]:
            raise DataError(f"run {run.id} holds the trial {key}, of a cell or task that it does not have.")
        words = _difference(store, run.id, key, metrics, tasks[key.cell][key.task], found.others)
        found.trials += 1
        if words:
            found.differing += 1
            found.examples += [words] if len(found.examples) < SHOWN else []
        step()
    return found


def _difference(
    store: Store, run: str, key: TrialKey, metrics: Sequence[Metric], task: Any, others: Counter[str]
) -> str:
    """Return where a trial's scores differ from those that its trace gives here; empty where they are the same."""
    stored = store.stored(run, key).trial
    here = {scorer_identity(metric) for metric in metrics}
    foreign = [score.scorer for score in stored.scores if score.scorer not in here]
    others.update(foreign)
    try:
        trace = unpack_trace(stored.trace, f"trial {key}", lambda sha: store.attachment(sha).data)
    except DataError as error:
        return f"{key}: {error.message}"
    otherwise = {scorer.partition("@")[0] for scorer in foreign}  # a metric that scored in another version
    again = [s for s in score_metrics(metrics, task, trace) if s.scorer.partition("@")[0] not in otherwise]
    words = apart(_figures([score for score in stored.scores if score.scorer in here]), _figures(again))
    return f"{key}, {words}" if words else ""


def _figures(scores: Sequence[Score]) -> dict[str, Any]:
    """Return figure and scorer -> value and detail, as they are compared."""
    return {f"{score.metric} by {score.scorer}": [score.value, plain(score.detail)] for score in scores}
