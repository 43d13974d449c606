"""Synthesis: workflows that are found by running them, and the candidates among which each has one answer."""
