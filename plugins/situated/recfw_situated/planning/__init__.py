"""Where a shopper can walk, and by which way."""
