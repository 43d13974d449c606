"""``recfw runs``: what is stored. Each command is imported when it is invoked, so that the list comes at once."""

import click

from recfw.cli.lazy import LazyGroup
from recfw.protocols import CommandRef

COMMANDS = (
    CommandRef("list", "List stored runs, the oldest first.", "recfw.cli.runs_list:list_runs"),
    CommandRef("show", "Show what a run was asked, how far it got, its disk use.", "recfw.cli.runs_show:show_run"),
    CommandRef("watch", "Watch a run from another terminal.", "recfw.cli.watch:watch"),
    CommandRef("delete", "Delete runs with all their trials, traces and pictures.", "recfw.cli.runs_manage:delete"),
    CommandRef("prune", "Delete old runs that nobody tagged.", "recfw.cli.runs_manage:prune"),
    CommandRef("tag", "Add or remove tags, or list them.", "recfw.cli.runs_manage:tag"),
    CommandRef("note", "Write a note on a run, or print it.", "recfw.cli.runs_manage:note"),
    CommandRef("merge", "Bring the runs of other stores into this one.", "recfw.cli.runs_manage:merge"),
)


@click.group(cls=LazyGroup, refs=COMMANDS)
def runs() -> None:
    """List, show, watch, tag, merge and delete stored runs."""
