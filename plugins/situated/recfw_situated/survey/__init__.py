"""Looks a scene over: its figures beside the paper's, and whether it is sound."""
