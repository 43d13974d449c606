"""The read-only data behind all servers: records, one store file, its importers and what is derived from them."""
