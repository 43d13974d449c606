"""Reports: the computing that analyses share, and the renderers that show a report as text."""
