"""Every command's help reads well at 80 columns."""

from collections.abc import Iterator

import click
import pytest

from recfw.cli.help import Context
from recfw.cli.lazy import below as commands_below
from recfw.cli.lazy import load
from recfw.cli.root import BUILTIN, cli

WIDTH = 80
WIDOW = 12
"""A last line of a wrapped text that is one word, shorter than this, is a widow."""
WITH_EXAMPLES = ("run", "report", "compare", "doctor", "completion", "plugins install", "plugins search", "runs watch")


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield (path, command) of the root command and all of core's."""
    yield "", cli
    for ref in BUILTIN:
        yield from below(ref.name, load(ref))


def below(path: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield a command and all below it."""
    yield path, command
    if isinstance(command, click.Group):
        for name, found in commands_below(command).items():
            yield from below(f"{path} {name}", found)


COMMANDS = dict(commands())


@pytest.fixture(params=COMMANDS, ids=lambda path: f"recfw {path}".strip())
def path(request: pytest.FixtureRequest) -> str:
    """A command's path."""
    return str(request.param)


def lines(path: str) -> list[str]:
    """Return a command's help as it is shown on a terminal of 80 columns."""
    names = f"recfw {path}".split()
    context = Context(cli, info_name="recfw", terminal_width=WIDTH, **cli.context_settings)
    for number, name in enumerate(names[1:], 2):
        found = COMMANDS[" ".join(names[1:number])]
        context = Context(found, info_name=name, parent=context, terminal_width=WIDTH)
    return COMMANDS[path].get_help(context).splitlines()


def test_no_line_is_too_long(path: str) -> None:
    """Nothing is wrapped by the terminal instead of by the help."""
    assert [] == [line for line in lines(path) if len(line) > WIDTH]


def test_no_wrapped_text_ends_in_a_widow(path: str) -> None:
    """No paragraph and no option's help ends with one short word on a line of its own."""
    shown = [*lines(path), ""]
    widows = []
    for before, line, after in zip(shown, shown[1:], shown[2:], strict=False):
        indent = len(line) - len(line.lstrip())
        alone = len(line.split()) == 1 and len(line.strip()) < WIDOW
        follows = len(before) > WIDTH // 2 and (indent > 6 or len(before) - len(before.lstrip()) == indent)
        ends = len(after) - len(after.lstrip()) < indent or not after
        if alone and follows and ends and indent:
            widows.append(f"{before}\n{line}")
    assert [] == widows


def test_everything_is_explained(path: str) -> None:
    """Every command and every option has a help text, which ends as a sentence or in brackets."""
    command = COMMANDS[path]
    assert command.help
    assert command.get_short_help_str(200)
    texts = {option.name: option.help or "" for option in command.params if isinstance(option, click.Option)}
    assert [] == [name for name, text in texts.items() if not text.endswith((".", "]", "…"))]


@pytest.mark.parametrize("path", WITH_EXAMPLES)
def test_the_main_commands_show_examples(path: str) -> None:
    """Whoever reads the help of a main command finds a line to type."""
    assert any(line.strip().startswith(f"recfw {path.split(maxsplit=1)[0]}") for line in lines(path)[1:])
    assert "Examples:" in COMMANDS[path].help
