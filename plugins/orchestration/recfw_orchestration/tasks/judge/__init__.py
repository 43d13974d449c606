"""The judge: what a task must satisfy before it is taken, each demand by a name."""
