"""The command line: one small file a command; each parses, calls one function, prints."""
