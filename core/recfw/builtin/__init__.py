"""What core itself offers, through an entry point of its own in the same group as every plugin."""
