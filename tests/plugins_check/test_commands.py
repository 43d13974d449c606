"""`recfw plugins check` looks at what a plugin's commands say of themselves."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import orjson
import pytest

from recfw.checking.commands import look_at_commands
from recfw.checking.findings import Notes
from recfw.hookspecs import hookimpl
from recfw.plugins import Manager, Plugin
from recfw.protocols import CommandRef

Told = Callable[[click.Command], list[dict[str, Any]]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    """What looks at a plugin that offers one command, `shop`, and returns its findings."""

    def look(command: click.Command) -> list[dict[str, Any]]:
        module: Any = ModuleType("shop_of_commands")
        module.shop = command
        module.recfw_register_commands = hookimpl(
            lambda: [CommandRef("shop", "Look after it.", "shop_of_commands:shop")],
            specname="recfw_register_commands",
        )
        monkeypatch.setitem(sys.modules, "shop_of_commands", module)
        manager = Manager()
        manager.add(Plugin("shop", "", "", module))
        with (tmp_path / "findings").open("wb") as file:
            look_at_commands(Notes(os.dup(file.fileno())), manager)
        return [orjson.loads(line) for line in (tmp_path / "findings").read_bytes().splitlines()]

    return look


def shop(words: str = "Sell something.", **option: Any) -> click.Group:
    """Return a group with one command below it, which has one option."""
    sell = click.Command("sell", params=[click.Option(["--goods"], **option)], help=words)
    return click.Group("shop", {"sell": sell}, help="Look after the shop.")


def test_what_is_explained_is_one_line(told: Told) -> None:
    """Where all is well, that is said of all commands together; an option that is hidden need not be explained."""
    (found,) = told(shop(help="What to sell."))
    assert (found["state"], found["words"]) == (
        "ok", "the helps of 2 explain every option, on lines of at most 80 columns")  # fmt: skip
    assert [each["state"] for each in told(shop(hidden=True))] == ["ok"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (shop(), "options without a help text: --goods"),
        (shop("\b\n" + "x" * 79, help="What."), "its help has a line of 81 columns, more than 80: xxx"),
        (shop(help="What.", metavar="A" * 90), "its help has a line of "),
        (shop("", help="What."), "has no help text"),
    ],
)
def test_what_is_not_is_wrong(told: Told, command: click.Command, words: str) -> None:
    """A line that a terminal would break, an option or a command that nobody explained: told with its path."""
    (found,) = told(command)
    assert (found["state"], found["subject"]) == ("wrong", "command 'shop sell'")
    assert found["words"].startswith(words)
    assert found["hint"]
