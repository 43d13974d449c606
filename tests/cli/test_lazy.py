"""Groups that import a command when it is invoked, as a plugin offers them."""

import sys
from typing import Any

import click
import pytest
from click.testing import CliRunner

from recfw.cli.lazy import LazyGroup
from recfw.cli.settings import Setting, Settings, defaults_of, name_variables
from recfw.errors import DataError, PluginError
from recfw.protocols import CommandRef


@click.command()
@click.option("--length", type=int, default=90)
def films(length: int) -> None:
    """List films."""
    click.echo(f"films of {length}")


@pytest.fixture
def group() -> LazyGroup:
    """A group of one command that is here, and one that is nowhere."""
    refs = (CommandRef("films", "List films.", f"{__name__}:films"), CommandRef("lost", "Lost.", "no.such.module:lost"))
    return LazyGroup("movies", refs=refs)


def typed(group: LazyGroup, *words: str, **extra: Any) -> tuple[int, str]:
    """Return status and output."""
    done = CliRunner().invoke(group, words, **extra)
    return done.exit_code, done.output


def test_help_and_names_import_nothing(group: LazyGroup) -> None:
    """Help lists each command with its line, the broken one too."""
    assert typed(group, "--help")[1].splitlines()[-2:] == ["  films  List films.", "  lost   Lost."]
    assert ({**group.commands}, "no" in sys.modules) == ({}, False)


def test_a_command_is_imported_when_it_is_invoked(group: LazyGroup) -> None:
    """It runs; a second time it is the same."""
    assert typed(group, "films", "--length", "5") == (0, "films of 5\n")
    assert group.named("films") is films


def test_a_reference_that_leads_nowhere_is_named(group: LazyGroup) -> None:
    """The error says which command, and where it was looked for."""
    with pytest.raises(PluginError, match=r"the command 'lost' cannot be loaded from no\.such\.module:lost"):
        group.named("lost")


def test_an_unknown_name_gets_the_closest(group: LazyGroup) -> None:
    """As the root command does it."""
    status, output = typed(group, "flims")
    assert (status, "no command 'flims' (known: films, lost). Did you mean 'films'?" in output) == (2, True)


def test_what_is_prepared_is_done_once_with_each(group: LazyGroup) -> None:
    """Steps reach what is imported later, and what was before."""
    seen: list[tuple[int, str]] = []
    group.prepare(lambda name, _: seen.append((1, name)))
    group.named("films")
    group.named("films")
    group.prepare(lambda name, _: seen.append((2, name)))
    assert seen == [(1, "films"), (2, "films")]


def test_defaults_reach_a_lazy_command(group: LazyGroup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its options have their environment variables, and their section in files, as everybody's."""
    name_variables(group, "movies")
    monkeypatch.setenv("RECFW_MOVIES_FILMS_LENGTH", "7")
    assert typed(group, "films") == (0, "films of 7\n")


def test_sections_of_lazy_commands_are_checked(group: LazyGroup) -> None:
    """A file's section finds the command that it names, and a wrong key is told with the known ones."""
    whole = LazyGroup("movies", refs=(CommandRef("films", "List films.", f"{__name__}:films"),))
    said = Settings(values={"movies.films.length": Setting("movies.films.length", 8, "recfw.toml")})
    assert defaults_of(whole, "movies", said) == {"films": {"length": 8}}
    wrong = Settings(values={"movies.films.lenght": Setting("movies.films.lenght", 8, "recfw.toml")})
    with pytest.raises(DataError, match=r"unknown key 'movies\.films\.lenght' \(known: length\)"):
        defaults_of(whole, "movies", wrong)
    assert defaults_of(group, "movies", Settings()) == {}
