"""Task families: fresh requests drawn from a catalog's predicates alone, each in three disclosure variants."""

from recfw_books.families.generate import generate

__all__ = ["generate"]
