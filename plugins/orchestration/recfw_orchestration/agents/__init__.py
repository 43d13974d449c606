"""Reference agents without a language model: the gold workflow, a router by tool schemas, a random caller."""
