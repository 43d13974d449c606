"""
What ``recfw plugins check`` finds out about one plugin, in a process of its own: ``python -m recfw.checking``.

Whatever the plugin does, that process alone suffers: it tells each finding as a line of JSON when it has it, so that
the caller knows how far it came.
"""
