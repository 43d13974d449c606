"""What assistants suggest while they navigate, and whether users do the same (figure 10): read from the traces."""

from collections import Counter
from collections.abc import Mapping

from attrs import define, field

from recfw.model.results import Results
from recfw.model.run import Status
from recfw_situated.analysis.settings import Setting
from recfw_situated.analysis.study import SCENE, Study
from recfw_situated.metrics.following import LEGAL, kind_of, same_name
from recfw_situated.metrics.played import read

NAVIGATE = "Navigate"


@define
class Suggested:
    """
    Counts over Navigate replies with a legal suggested action.

    Args:
        replies: All of them.
        names: Action -> how many suggest it.
        same: Action -> how many of these the user's first call has the same name as.
    """

    replies: int = 0
    names: Counter[str] = field(factory=Counter)
    same: Counter[str] = field(factory=Counter)

    def share(self, name: str) -> float | None:
        """Return an action's share of the replies, in per cent."""
        return 100 * self.names[name] / self.replies if self.replies else None

    def rate(self, name: str) -> float | None:
        """Return how often the user did the same, in per cent of the suggestions; None where it was never suggested."""
        return 100 * self.same[name] / self.names[name] if self.names[name] else None


def suggestions(results: Results, study: Study) -> Mapping[tuple[Setting, str], Suggested]:
    """
    Return (setting, scene) -> counts, over the completed trials of all runs.

    Raises:
        DataError: A trace is damaged.
    """
    found: dict[tuple[Setting, str], Suggested] = {}
    for run in study.runs:
        for row in results.rows(run.info.id):
            setting = study.cells.get((run.info.id, row.cell))
            scene = run.tasks[row.task].facets.get(SCENE, "")
            legal = LEGAL.get(kind_of(run.tasks[row.task]), ())
            if setting is None or row.status != Status.COMPLETED or not legal:
                continue
            counts = found.setdefault((setting, scene), Suggested())
            for turn in read(results.trace(row)).turns:
                expected = turn.expected
                if turn.act == NAVIGATE and expected is not None and expected["name"] in legal:
                    counts.replies += 1
                    counts.names[expected["name"]] += 1
                    counts.same[expected["name"]] += same_name(turn)
    return found
