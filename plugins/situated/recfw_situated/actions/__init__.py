"""What the two roles may do: schemas of their replies, what an action means, whether it is allowed, its effect."""
