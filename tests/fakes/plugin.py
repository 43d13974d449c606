"""The plugin that offers the fake tracks; loaded by RECFW_PLUGINS=fakes.plugin."""

from recfw.hookspecs import hookimpl


@hookimpl
def recfw_register_tracks():
    """Offer the three tracks."""
    from fakes.dialogue import DialogueTrack
    from fakes.pictures import PicturesTrack
    from fakes.rounds import RoundsTrack

    return [DialogueTrack, PicturesTrack, RoundsTrack]


@hookimpl
def recfw_register_agents():
    """Offer one agent a track, and its double that replay may not run."""
    from fakes.dialogue import Asker, Model
    from fakes.pictures import Guide, GuideModel
    from fakes.rounds import Planner, PlannerModel

    return [Asker, Model, Guide, GuideModel, Planner, PlannerModel]


@hookimpl
def recfw_register_users():
    """Offer one user a track."""
    from fakes.dialogue import Speaker
    from fakes.pictures import Walker
    from fakes.rounds import Opener

    return [Speaker, Walker, Opener]


@hookimpl
def recfw_register_participants():
    """Offer the moderator."""
    from fakes.pictures import Moderator

    return [Moderator]


@hookimpl
def recfw_register_metrics():
    """Offer one metric a track."""
    from fakes.dialogue import Met
    from fakes.pictures import Arrived
    from fakes.rounds import HitRatio

    return [Met, Arrived, HitRatio]


@hookimpl
def recfw_register_catalogs():
    """Offer three colours."""
    from fakes.sources import ColourCatalog

    return [ColourCatalog]


@hookimpl
def recfw_register_retrievers():
    """Offer a search by words."""
    from fakes.sources import WordRetriever

    return [WordRetriever]


@hookimpl
def recfw_register_judges():
    """Offer a judge that asks nobody."""
    from fakes.sources import BrevityJudge

    return [BrevityJudge]
