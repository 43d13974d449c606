"""Runs on their way out of a store and into another: checked records, the lines and files that carry them, merging."""
