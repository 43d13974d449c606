"""The markers that plugins decorate their hooks with. Light to import: an entry point's module needs nothing else."""

import pluggy

PROJECT = "recfw"
HOOK_API = "1.0"
"""Version of the hook interface: a new hook or argument raises the minor number, a removed one the major."""


class HookRemovalWarning(FutureWarning):
    """A plugin takes an argument of a hook that will be removed; it still gets it."""


def leaving(version: str, **arguments: str) -> dict[str, Warning]:
    """
    Return what tells plugins that arguments of a hook will be removed: ``@hookspec(warn_on_impl_args=leaving(…))``.

    An argument stays in its hook, and is given as before, for two minor releases after the first that warns.

    Args:
        version: The release of recfw that will not give them any more.
        arguments: Argument -> what to use in its place, as a clause.
    """
    return {
        name: HookRemovalWarning(f"the argument '{name}' will be removed in recfw {version}: {instead}.")
        for name, instead in arguments.items()
    }


hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
