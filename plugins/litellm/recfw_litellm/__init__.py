"""Language models as agents, users and judges of recfw."""
