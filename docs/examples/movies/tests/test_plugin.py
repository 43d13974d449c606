"""What people type works with the plugin installed."""

from recfw.testing.project import Project


def test_the_plugin_is_listed(project: Project) -> None:
    """`recfw plugins info` knows the plugin and its track."""
    done = project.type("plugins", "info", "movies")
    assert (0, "") == (done.status, done.err)
    assert "tracks: movies" in done.out
