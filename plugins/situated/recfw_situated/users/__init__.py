"""Users that are code: the rule-based one, and the scripted oracle. They hear the assistant's words, nothing else."""
