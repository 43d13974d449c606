"""Recommending one film to one viewer by house rules: a track, four agents, metrics and a report."""

from recfw.hookspecs import hookimpl


@hookimpl
def recfw_register_tracks() -> tuple[type, ...]:
    """Offer the track ``movies``."""
    from recfw_movies.track import MoviesTrack

    return (MoviesTrack,)


@hookimpl
def recfw_register_agents() -> tuple[type, ...]:
    """Offer the reference agent and three that fall short of it."""
    from recfw_movies.agents import Careful, Careless, Hasty, Shy

    return (Careful, Careless, Hasty, Shy)


@hookimpl
def recfw_register_metrics() -> tuple[type, ...]:
    """Offer the metrics."""
    from recfw_movies.policies import MoviesPolicies, MoviesSuccess

    return (MoviesSuccess, MoviesPolicies)


@hookimpl
def recfw_register_analyses() -> tuple[type, ...]:
    """Offer the report."""
    from recfw_movies.analysis import MoviesReport

    return (MoviesReport,)
