"""From stored runs to the paper's tables."""
