"""``--json``: what a command did as one JSON object on standard output, where nothing else is printed then."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import click
import orjson

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")(command)


def print_json(data: Mapping[str, Any]) -> None:
    """Print one object."""
    click.echo(orjson.dumps(data, option=orjson.OPT_INDENT_2))


@contextmanager
def printed_at_last(told: Mapping[str, Any], *, as_json: bool) -> Iterator[None]:
    """Print the object as it stands when the block ends; where an error ends it, if anything was done before."""
    try:
        yield
    except BaseException:
        if as_json and any(told.values()):
            print_json(told)
        raise
    if as_json:
        print_json(told)
