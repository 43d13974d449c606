"""The figures of a rollout by rule: a task and its finished trace in, numbers out; nothing of generator or agents."""
