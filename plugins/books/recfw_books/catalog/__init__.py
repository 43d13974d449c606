"""The catalog: its records and files, the embedded fictional one, and catalogs built from real tables."""
