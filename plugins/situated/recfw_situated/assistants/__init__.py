"""Assistants that are code: index-guided, talk-only, wanderer; their lexicon is their own."""
