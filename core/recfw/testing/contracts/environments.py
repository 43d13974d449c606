"""What every environment must do, asked directly, without the engine between."""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar

import pytest

from recfw.model.reply import Reply, ToolResult
from recfw.model.view import ToolSpec, View
from recfw.protocols import Accepted, Ended, Environment, Refused, Ruling
from recfw.serialize import canonical
from recfw.testing.contracts.base import HOSTILE, Explained


class EnvironmentContract(Explained):
    """
    What every environment must do. Override :meth:`episode` with a new episode at its beginning.

    Attributes:
        roles: The roles that its track declares.
    """

    roles: ClassVar[Collection[str]] = ("agent", "user")

    def episode(self) -> AbstractAsyncContextManager[Environment]:
        """Return a context manager that gives a new environment, as ``World.episode`` does."""
        raise NotImplementedError("override episode() with a new episode of your world")

    def test_has_the_shape(self) -> None:
        """It has every method of the protocol, and gives the floor to a declared role."""

        async def look() -> tuple[bool, str]:
            async with self.episode() as environment:
                return isinstance(environment, Environment), environment.next_role()

        shaped, role = asyncio.run(look())
        assert shaped
        assert role in self.roles

    def test_looking_changes_nothing(self) -> None:
        """Each role's View is its own, survives as JSON, and is the same when it is looked at again."""

        async def look() -> list[tuple[str, View, View]]:
            async with self.episode() as environment:
                return [(role, await environment.view(role), await environment.view(role)) for role in self.roles]

        for role, first, second in asyncio.run(look()):
            assert role == first.role
            assert canonical(first) == canonical(second)

    def test_any_reply_is_ruled_on(self) -> None:
        """Whatever the role that opens says or sends is accepted, refused with words, or ends for a named reason."""

        async def rule(reply: Reply) -> Ruling:
            async with self.episode() as environment:
                return await environment.receive(environment.next_role(), reply, ())

        for text in HOSTILE:
            for reply in (Reply(text), Reply(data=text), Reply(data={text: [text]})):
                ruling = asyncio.run(rule(reply))
                assert isinstance(ruling, Accepted | Refused | Ended)
                assert not isinstance(ruling, Refused) or ruling.words.strip()
                assert not isinstance(ruling, Ended) or ruling.stop.strip()

    def test_a_refused_role_reads_why(self) -> None:
        """Words that a reply was refused with stand in a message of the role's next View: a model reads no facts."""

        async def converse(reply: Reply) -> None:
            async with self.episode() as environment:
                for _ in range(2 * len(self.roles)):
                    role = environment.next_role()
                    await environment.view(role)
                    ruling = await environment.receive(role, reply, ())
                    if isinstance(ruling, Refused):
                        view = await environment.view(role)
                        assert shows(view, ruling.words), f"'{role}' was refused and does not read: {ruling.words}"
                        ruling = await environment.receive(role, Reply("Hello."), ())
                    if not isinstance(ruling, Accepted):
                        return

        for reply in (Reply(), Reply("?"), Reply(data={})):
            asyncio.run(converse(reply))

    def test_any_call_is_answered(self) -> None:
        """A call whose arguments pass the tool's schema gets a result that survives as JSON, whatever the texts are."""

        async def call(text: str) -> list[ToolResult]:
            found = []
            async with self.episode() as environment:
                for role in self.roles:
                    for tool in (await environment.view(role)).tools:
                        found += [await environment.call(role, tool.name, each) for each in _arguments(tool, text)]
            return found

        for text in HOSTILE:
            for result in asyncio.run(call(text)):
                assert isinstance(result, ToolResult)
                assert canonical(result)

    def test_unknown_pictures_are_no_pictures(self) -> None:
        """A handle that no View named is a KeyError."""

        async def ask() -> None:
            async with self.episode() as environment:
                await environment.picture("no such picture, ever")

        with pytest.raises(KeyError):
            asyncio.run(ask())

    def test_its_summary_is_data(self) -> None:
        """The closing facts are an object that survives as JSON, even where nothing happened."""

        async def look() -> Any:
            async with self.episode() as environment:
                return environment.summary()

        summary = asyncio.run(look())
        assert isinstance(summary, dict)
        assert canonical(summary)


def shows(view: View, words: str) -> bool:
    """Tell whether words stand in a message of a View."""
    return any(words in message.text for message in view.messages)


def _arguments(tool: ToolSpec, text: str) -> Iterator[dict[str, Any]]:
    """Yield arguments with this text wherever a schema takes any; none where it demands something else."""
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    free = {name for name, schema in properties.items() if set(schema) <= {"type", "description", "title"}}
    texts = {name: text for name in properties if name in free and properties[name].get("type", "string") == "string"}
    if set(tool.parameters.get("required", ())) <= set(texts):
        yield texts
