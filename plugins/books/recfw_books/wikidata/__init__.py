"""The catalog from Wikidata: a live client that saves raw responses, and a pure pipeline from those to a catalog."""
