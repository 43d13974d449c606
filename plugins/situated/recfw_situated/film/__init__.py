"""An episode as a film: frames rendered anew from stored poses and state, with both roles' marks and the dialogue."""
