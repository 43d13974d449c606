"""The assistants as components: ``index-guided``, ``talk-only``, ``wanderer``."""

from typing import ClassVar

from recfw.protocols import Agent, Context, NoOptions, Player
from recfw_situated.assistants.index_guided import IndexGuided
from recfw_situated.assistants.talk_only import TalkOnly
from recfw_situated.assistants.talking import Talker
from recfw_situated.assistants.wanderer import Wanderer


class _Assistant(Agent):
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    tracks: ClassVar[tuple[str, ...]] = ("situated",)
    deterministic: ClassVar[bool] = True
    heavy: ClassVar[bool] = True  # not itself, but the store that each episode of it keeps busy
    talker: ClassVar[type[Talker]]

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def episode(self, context: Context) -> Player:
        """Return an assistant for one episode."""
        return self.talker(context)


class IndexGuidedAssistant(_Assistant):
    """Leads to the best product by the location index."""

    name: ClassVar[str] = "index-guided"
    summary: ClassVar[str] = "reads the location index and leads to the best product"
    talker: ClassVar[type[Talker]] = IndexGuided


class TalkOnlyAssistant(_Assistant):
    """Recommends by name and never leads."""

    name: ClassVar[str] = "talk-only"
    summary: ClassVar[str] = "asks and recommends by name, never says where anything is"
    talker: ClassVar[type[Talker]] = TalkOnly


class WandererAssistant(_Assistant):
    """Leads anywhere."""

    name: ClassVar[str] = "wanderer"
    summary: ClassVar[str] = "leads from place to place at random"
    talker: ClassVar[type[Talker]] = Wanderer
