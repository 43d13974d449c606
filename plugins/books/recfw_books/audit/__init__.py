"""The audit of a catalog and its tasks by two people: what each is shown, and how far they agree (paper, section 3)."""
