"""The books track: disclosure-controlled elicitation over a catalog of books (tau-Rec-Books)."""

__version__ = "0.1.0"
