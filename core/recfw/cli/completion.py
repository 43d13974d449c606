"""``recfw completion``: the script with which a shell completes words of ``recfw``."""

import click
from click.shell_completion import get_completion_class

from recfw.cli.root import cli

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """
    Print a script that completes commands, options and their values.

    \b
    Examples:
      recfw completion bash > ~/.local/share/bash-completion/completions/recfw
      recfw completion zsh > ~/.zfunc/_recfw     # with fpath+=~/.zfunc
      recfw completion fish > ~/.config/fish/completions/recfw.fish
    """  # noqa: D301 - click reads \b as the character that it stands for
    kind = get_completion_class(shell)
    if kind is not None:
        script = kind(cli, {}, "recfw", "_RECFW_COMPLETE").source()
        click.echo(script.replace('string split ","', 'string split --max 1 ","'))  # fish would cut help at a comma
