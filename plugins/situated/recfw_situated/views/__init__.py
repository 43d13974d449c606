"""Observations: what each role sees of a frame, as markers, maps and pictures. Knows no server."""
