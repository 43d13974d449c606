"""Carrying trials to workers and their results to the store."""
