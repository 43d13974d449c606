"""What plugins can hook into: the markers, the specifications and the version of the hook interface."""

from recfw.hookspecs.markers import HOOK_API, PROJECT, HookRemovalWarning, hookimpl, hookspec, leaving

__all__ = ["HOOK_API", "PROJECT", "HookRemovalWarning", "hookimpl", "hookspec", "leaving"]
