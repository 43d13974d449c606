"""The reference agents (paper, section 5): scripted, without a language model; they show what the protocol allows."""
