"""The trials of any runs together, pooled by setting and scene."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from recfw.errors import UsageError
from recfw.model.results import Results, RunInfo
from recfw.model.task import Task
from recfw.report.figures import RunTrials, Trials, read_trials
from recfw_situated.analysis.settings import FULL, Names, Setting, setting_of, user_of
from recfw_situated.analysis.spread import Spread, mean_of, share_of

SCENES: Mapping[str, str] = {"supermarket": "Supermarket", "furnishings": "Home Furnishings Store"}
"""The scenes that ship, as the paper calls them, in its order."""
SUBSET, SCENE = "subset", "scene"


def named(scene: str) -> str:
    """Return what a scene is called in captions: a store of one's own by its name."""
    return SCENES.get(scene, scene)


def _in_order(scenes: Iterable[str]) -> tuple[str, ...]:
    there = set(scenes)
    return (*(scene for scene in SCENES if scene in there), *sorted(there - set(SCENES)))


@frozen
class Pool:
    """The trials of one setting in one scene, perhaps of several cells."""

    parts: tuple[Trials, ...]

    def groups(self, figure: str) -> dict[str, list[float]]:
        """Return subset -> the values of its episodes."""
        found: dict[str, list[float]] = {}
        for part in self.parts:
            for task, values in sorted(part.scores.get(figure, {}).items()):
                found.setdefault(part.tasks[task].facets.get(SUBSET, ""), []).extend(sorted(values))
        return found

    def values(self, figure: str) -> list[float]:
        """Return the values of all episodes that have the figure."""
        return [value for values in self.groups(figure).values() for value in values]

    def total(self, figure: str) -> float:
        """Return the sum of a count over all episodes."""
        return sum(self.values(figure))

    def mean(self, figure: str, scale: float = 1.0) -> Spread:
        """Return a figure's mean over subsets, or over the cohort."""
        return mean_of(self.groups(figure), scale)

    def whole(self, figure: str, scale: float = 100.0) -> Spread:
        """Return a figure's mean over all episodes, without subsets."""
        return mean_of({"": self.values(figure)}, scale)

    def share(self, counted: str, of: str) -> Spread:
        """Return the share of pooled events, in per cent, over subsets or over the cohort."""
        events = self.groups(of)
        return share_of({name: (sum(self.groups(counted).get(name, ())), sum(events[name])) for name in events})

    @property
    def played(self) -> frozenset[str]:
        """Tasks with figures."""
        return frozenset(task for part in self.parts for task in part.scores.get("success", {}))

    @property
    def episodes(self) -> int:
        """Trials with figures."""
        return len(self.values("success"))

    @property
    def failed(self) -> int:
        """Trials that infrastructure ended."""
        return sum(part.counts().failed for part in self.parts)

    def stops(self) -> dict[str, int]:
        """Return how the completed trials ended."""
        found = Counter[str]()
        for part in self.parts:
            found.update(part.stops(completed=True))
        return dict(found)

    def success_by(self, turn: int) -> float | None:
        """Return SR(t) in per cent: episodes with a purchase within so many turns, of all episodes."""
        n = self.episodes
        return 100 * sum(turns <= turn for turns in self.values("turns_to_purchase")) / n if n else None


@frozen
class Study:
    """
    All that a report is of.

    Args:
        runs: The runs.
        pools: (setting, scene) -> its trials, in the order of runs and cells.
        main: The user of the main tables.
        cells: (run's id, cell) -> its setting.
    """

    runs: tuple[RunTrials, ...]
    pools: Mapping[tuple[Setting, str], Pool] = field(repr=False)
    main: str
    cells: Mapping[tuple[str, str], Setting] = field(repr=False)

    @property
    def scenes(self) -> tuple[str, ...]:
        """The scenes that any trial is of: those that ship in the paper's order, then others by name."""
        return _in_order(scene for _, scene in self.pools)

    @property
    def others(self) -> tuple[str, ...]:
        """The other users of the first set, in order of names."""
        return tuple(sorted({s.user for s, _ in self.pools if not s.second} - {self.main}))

    def rows(self, scene: str, user: str = "", ablation: str = FULL, *, second: bool = False) -> dict[Setting, Pool]:
        """Return the settings of a scene and a user (the main one unless named; any of the second set)."""
        return {
            setting: pool
            for (setting, of), pool in self.pools.items()
            if of == scene
            and setting.second == second
            and setting.ablation == ablation
            and (second or setting.user == (user or self.main))
        }

    def ablated(self, scene: str) -> dict[str, dict[str, Pool]]:
        """Return assistant -> condition -> its trials, of the main user, where a condition beside the full one is."""
        found: dict[str, dict[str, Pool]] = {}
        for (setting, of), pool in self.pools.items():
            if of == scene and setting.user == self.main and not setting.second:
                found.setdefault(setting.row, {})[setting.ablation] = pool
        return {row: conditions for row, conditions in found.items() if set(conditions) != {FULL}}


def read_study(results: Results, user: str = "", second: str = "") -> Study:
    """
    Read runs.

    Args:
        results: The runs.
        user: The user of the main tables; empty for the one with most trials.
        second: Runs (ids or unique beginnings, with commas), or else a user, that make the second set.

    Raises:
        UsageError: No such user or run, or a task has other content in another run.
        DataError: Stored rows contradict their run.
    """
    runs = tuple(read_trials(results, info) for info in results.runs)
    _same_tasks(runs)
    cells = [(run, cell) for run in runs for cell in run.info.spec.cells if "agent" in cell.roles]
    agents = Names.make(cell.roles["agent"] for _, cell in cells)
    users = Names.make(user_of(cell) for _, cell in cells)
    apart, apart_user = _second([run.info for run in runs], second, set(users.of.values()))
    settings = {
        (run.info.id, cell.name): setting_of(
            cell, agents, users, second=run.info.id in apart or users.name(user_of(cell)) == apart_user
        )
        for run, cell in cells
    }
    pools: dict[tuple[Setting, str], list[Trials]] = {}
    for run in runs:
        for trials in run.cells:
            setting = settings.get((run.info.id, trials.cell))
            held: dict[str, set[str]] = {}
            for name, task in trials.tasks.items():
                held.setdefault(task.facets.get(SCENE, ""), set()).add(name)
            for scene in _in_order(held):
                own = trials.of(held[scene])
                if setting and own.tasks:
                    pools.setdefault((setting, scene), []).append(own)
    made = {key: Pool(tuple(parts)) for key, parts in pools.items()}
    return Study(runs, made, _main(made, user), settings)


def _main(pools: Mapping[tuple[Setting, str], Pool], wanted: str) -> str:
    sizes = Counter[str]()
    for (setting, _), pool in pools.items():
        if not setting.second:
            sizes[setting.user] += pool.episodes
    if wanted and wanted not in sizes:
        raise UsageError(f"no user '{wanted}' in these runs (there: {', '.join(sorted(sizes)) or 'none'}).")
    return wanted or next(iter(sorted(sizes, key=lambda name: (-sizes[name], name))), "")


def _second(runs: Sequence[RunInfo], words: str, users: set[str]) -> tuple[set[str], str]:
    """Return the ids of the second set's runs, and its user where a user makes it."""
    if words in users:
        return set(), words
    found: set[str] = set()
    for word in (word.strip() for word in words.split(",") if word.strip()):
        matching = [run.id for run in runs if run.id.startswith(word)]
        if len(matching) != 1:
            trouble = "no run and no user" if not matching else "several runs"
            known = ", ".join([run.id for run in runs] + sorted(users))
            raise UsageError(f"second: '{word}' is {trouble} among those of the report ({known}).")
        found.update(matching)
    return found, ""


def _same_tasks(runs: Iterable[RunTrials]) -> None:
    seen: dict[str, tuple[str, Task]] = {}
    for run in runs:
        for name, task in run.tasks.items():
            other, known = seen.setdefault(name, (run.info.id, task))
            if known != task:
                raise UsageError(
                    f"task '{name}' has other content in run {run.info.id} than in {other}.",
                    "Runs of other tasks cannot stand in one table; report on them apart.",
                )
