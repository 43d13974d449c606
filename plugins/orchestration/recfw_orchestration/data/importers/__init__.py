"""Importers of the public formats: files read as streams into the staging file, a line at a time."""
