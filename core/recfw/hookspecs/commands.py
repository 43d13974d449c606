"""The hook that adds commands to the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from recfw.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from recfw.protocols import CommandRef


@hookspec
def recfw_register_commands() -> Iterable[CommandRef]:
    """
    Offer commands.

    Called once per manager, when the command line is built.

    Returns:
        :class:`recfw.protocols.CommandRef` records: a unique ``name``, one line of help, and the
        ``package.module:attribute`` of a click command, which is imported only when it is invoked.
    """
    return ()
