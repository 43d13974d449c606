"""One rollout: what the planner is shown of its rounds, the candidate bus beside it, and how both stay small."""
