"""The rule-based user's two ends: which fields an agent's turn asks about, and how the replies are worded."""
