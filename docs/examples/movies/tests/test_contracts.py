"""The track's components keep the contracts of recfw."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from functools import cache

from recfw.engine.request import RunRequest, build_spec
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.view import View
from recfw.protocols import Environment, NoOptions
from recfw.testing.contracts import AgentContract, EnvironmentContract, MetricContract, TrackContract
from recfw.testing.episodes import Played, play, sample_registry
from recfw.testing.fakes import context
from recfw_movies.agents import Careful, Careless, Hasty, Shy
from recfw_movies.policies import MoviesPolicies, MoviesSuccess
from recfw_movies.track import MoviesTrack


@cache
def played() -> list[Played]:
    """Return one family and the tasks without an answer, played by the default cells."""
    registry = sample_registry()
    return play(registry, build_spec(registry, RunRequest(track="movies", tasks=("sponsored-07-*", "barred-*"))))


class TestMoviesTrack(TrackContract):
    """The track: its tasks, its default cells and their replay, hostile replies, what stays private."""

    component = MoviesTrack


class TestMovieTalk(EnvironmentContract):
    """The environment of an episode."""

    def episode(self) -> AbstractAsyncContextManager[Environment]:
        """Return a new episode of the first task."""
        track = MoviesTrack(NoOptions())
        return track.episode(track.tasks()[0], context())


class _OnHidden(AgentContract):
    def views(self) -> Sequence[View]:
        """Return what the reference agent sees in a task with hidden wishes."""
        return next(episode.views["agent"] for episode in played() if episode.task.facets["condition"] == "hidden")


class TestCareful(_OnHidden):
    """The reference agent."""

    component = Careful


class TestCareless(_OnHidden):
    """The agent that keeps no policy."""

    component = Careless


class TestHasty(_OnHidden):
    """The agent that asks nothing."""

    component = Hasty


class TestShy(_OnHidden):
    """The agent that recommends nothing."""

    component = Shy


class _OnPlayed(MetricContract):
    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return tasks with finished traces."""
        return [(episode.task, episode.trace) for episode in played()]


class TestMoviesSuccess(_OnPlayed):
    """Success."""

    component = MoviesSuccess


class TestMoviesPolicies(_OnPlayed):
    """The policies."""

    component = MoviesPolicies
