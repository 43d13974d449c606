"""Three tracks that have nothing in common, each about a hundred lines, to prove that the engine knows none of them."""
