"""Fuzzification: a plain request made vague in one to three ways, no value lost."""
