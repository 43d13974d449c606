"""Tracks with a fault that can be known before anything is played; loaded by RECFW_PLUGINS=…,fakes.faulty."""

from attrs import frozen

from fakes.dialogue import DialogueTrack
from recfw.hookspecs import hookimpl


@frozen
class SearchOptions:
    """``size``: how many tasks; ``retriever``: the name of a retriever."""

    size: int = 8
    retriever: str = ""


def _twice(self):
    return [*DialogueTrack.tasks(self), *DialogueTrack.tasks(self)]


def _faulty(name, **changes):
    return type(name, (DialogueTrack,), {"name": name, **changes})


@hookimpl
def recfw_register_tracks():
    """Offer a track for each fault, and one that searches."""
    return [
        _faulty("no-analysis", analyses=("nobody-offers-it",)),
        _faulty("no-metric", metrics=("nobody-offers-it",)),
        _faulty("no-cells", default_cells=lambda self: []),
        _faulty("same-ids", tasks=_twice),
        _faulty("searching", Options=SearchOptions),
    ]
