"""
What a plugin's own tests need: contract suites for every protocol, fakes, a project fixture, and a stub provider.

Subclass a suite of :mod:`recfw.testing.contracts` in a few lines; ``pytest_plugins = ["recfw.testing.project"]`` gives
the fixture ``project``, an empty folder in which to type ``recfw`` commands. :mod:`recfw.testing.provider` is a model
provider on loopback with scripted replies and faults.
"""
