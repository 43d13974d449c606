"""Search over a catalog: the keyword index and the structured filters behind the tool ``search_books``."""
