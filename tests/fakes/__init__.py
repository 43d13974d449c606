"""Three tracks that have nothing in common, each about 60 lines, to prove that the engine knows none of them."""
