"""What every agent, user simulator and other participant must do."""

import asyncio
import inspect
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, ClassVar

from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import Context
from recfw.serialize import canonical
from recfw.testing.contracts.base import Contract
from recfw.testing.fakes import context


class ParticipantContract(Contract):
    """
    What every agent, user simulator and other participant must do.

    Override :meth:`views` with the Views of one short episode that it can answer.

    Attributes:
        role: The role that it fills.
        task: The id of the task that the Views are of, for components that look it up.
    """

    role: ClassVar[str] = "agent"
    task: ClassVar[str] = "task"

    def views(self) -> Sequence[View]:
        """Return Views of one episode, in order."""
        raise NotImplementedError("override views() with Views that the component can answer")

    def replies(self, seed: int = 1) -> list[bytes]:
        """Return what a fresh player of a fresh component answers to the Views."""
        return asyncio.run(_answers(self.make(), [context(self.role, self.task, seed)], self.views()))[0]

    def test_replies_are_records(self) -> None:
        """Every View gets a Reply that survives as JSON."""
        assert len(self.views()) == len(self.replies())

    def test_a_deterministic_component_repeats_itself(self) -> None:
        """One that says it is deterministic gives the same replies to the same Views and seed, on any instance."""
        if self.component.deterministic:
            assert self.replies(7) == self.replies(7)

    def test_episodes_do_not_share_state(self) -> None:
        """Two episodes of one deterministic instance, played in turns, do not disturb each other."""
        if self.component.deterministic:
            episodes = [context(self.role, self.task, 3) for _ in range(2)]
            alone = self.replies(3)
            assert [alone, alone] == asyncio.run(_answers(self.make(), episodes, self.views()))

    def test_views_are_not_altered(self) -> None:
        """A component leaves its Views as they were."""
        views = self.views()
        before = [canonical(view) for view in views]
        asyncio.run(_answers(self.make(), [context(self.role, self.task)], views))
        assert before == [canonical(view) for view in views]


class AgentContract(ParticipantContract):
    """What every agent must do; ``views`` are what the role ``agent`` sees in one episode."""


class UserContract(ParticipantContract):
    """What every user simulator must do; ``views`` are what the role ``user`` sees in one episode."""

    role: ClassVar[str] = "user"


async def _answers(component: Any, episodes: Sequence[Context], views: Sequence[View]) -> list[list[bytes]]:
    """Return what a player of each episode says while the component is open, all answering a View before the next."""
    async with component.open() if hasattr(component, "open") else nullcontext():
        players = [component.episode(episode) for episode in episodes]
        said: list[list[bytes]] = [[] for _ in players]
        for view in views:
            for player, heard in zip(players, said, strict=True):
                reply = player.reply(view)
                given = await reply if inspect.isawaitable(reply) else reply
                assert isinstance(given, Reply)
                heard.append(canonical(given))
    return said
