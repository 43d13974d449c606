"""The markers that plugins decorate their hooks with. Light to import: an entry point's module needs nothing else."""

import pluggy

PROJECT = "recfw"
HOOK_API = "1.0"
"""Version of the hook interface: a new hook or argument raises the minor number, a removed one the major."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
